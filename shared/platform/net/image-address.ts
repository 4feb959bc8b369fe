import Joi from "joi";

import { allowedOrigins, type Config } from "../config/config.ts";

export type ImageRules = Pick<
  Config,
  "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS" | "CONTENT_IMAGE_PATHS"
>;

/** Longest stored address of an image, in characters. */
const longest = 2_048;

/** CATALOGUE of the API's public image routes, by path. */
const ownPictures = [
  /^\/api\/v1\/public\/assets\/[\w:]+$/,
  /^\/api\/v1\/public\/assets\/by-hash\/[\da-f]{64}$/,
  /^\/api\/v1\/public\/survival\/servers\/\d+\/map\/image$/,
];

/** A file of the web app. `%` is refused, because a proxy might decode the rest to another path. */
const pictureFile = /^[^%]+\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/** A path of the site. A second slash at the start would begin a host name. */
const ownPath = /^\/(?!\/)/;

/** Requires `//`, because on an https page browsers resolve `https:/wp-login.php` as a path of the site. */
const hostedAddress = /^[a-z][a-z\d+.-]*:\/\//i;

/** Characters that browsers ignore, such as line breaks, and that can disguise an address. */
// oxlint-disable-next-line no-control-regex
const blanks = /[\u0000-\u0020]/;

/**
 * True if an image may be loaded from the address. The browser of every reader sends the request, so an
 * address of the site must be a public image. Other addresses must be https, so that nobody can read or
 * replace the image.
 */
export const isImageSource = (address: string, rules: ImageRules): boolean =>
  isSourceOf(address, ["https:"], rules);

/** Returns the stored address, or null if the present rules forbid it. */
export const findAllowedImage = (address: string | null, rules: ImageRules): string | null =>
  address !== null && isSourceOf(address, ["https:", "http:"], rules) ? address : null;

/** Returns the stored icon, or null if the present rules forbid it. Some icons are names. */
export const findAllowedIcon = (icon: string | null, rules: ImageRules): string | null =>
  icon !== null && isName(icon) ? icon : findAllowedImage(icon, rules);

const isName = (text: string): boolean => /^[\w -]{1,64}$/.test(text);

/** Returns true if a URL contains a user name or password, which links must not send. */
export const hasCredentials = ({ username, password }: URL): boolean =>
  username !== "" || password !== "";

function isSourceOf(address: string, schemes: readonly string[], rules: ImageRules): boolean {
  if (blanks.test(address) || address.length > longest) return false;
  const isPath = ownPath.test(address);
  if (!isPath && !hostedAddress.test(address)) return false;
  const url = isPath ? URL.parse(address, rules.PUBLIC_BASE_URL) : URL.parse(address);
  if (!url || hasCredentials(url)) return false;
  // Check the parsed URL, because parsing resolves backslashes and dots in the path.
  const isOfSite = isOwn(url, rules);
  if (isOfSite && !isOwnPicture(url.pathname, rules)) return false;
  return isPath ? isOfSite : isOneOf(url, schemes);
}

const isOneOf = ({ protocol }: URL, schemes: readonly string[]): boolean =>
  schemes.includes(protocol);

/** Returns true for a host of the site at any port. A host name may end with a dot. */
const isOwn = ({ hostname }: URL, rules: ImageRules): boolean =>
  allowedOrigins(rules).some((origin) => new URL(origin).hostname === hostname.replace(/\.$/, ""));

const isOwnPicture = (path: string, { CONTENT_IMAGE_PATHS }: ImageRules): boolean =>
  ownPictures.some((picture) => picture.test(path)) ||
  (pictureFile.test(path) && CONTENT_IMAGE_PATHS.some((folder) => path.startsWith(folder)));

interface ImageOptions {
  readonly schemes: readonly string[];
  readonly takesPaths: boolean;
  readonly takesNames?: true;
  readonly rule: string;
}

/** The schema of an image's address. Validate it with the context that `createImageRuleContext` returns. */
export const imageAddressField = ({
  schemes,
  takesPaths,
  takesNames,
  rule,
}: ImageOptions): Joi.StringSchema =>
  Joi.string()
    .max(longest)
    .custom((text: string, helpers) => {
      if (takesNames && isName(text)) return text;
      const rules = rulesIn(helpers.prefs.context);
      const isTaken = (takesPaths || !ownPath.test(text)) && isSourceOf(text, schemes, rules);
      return isTaken ? text : helpers.message({ custom: `{{#label}} must be ${rule}` });
    });

export const createImageRuleContext = (rules: ImageRules): Joi.Context => ({ images: rules });

function rulesIn(context: Joi.Context | undefined): ImageRules {
  const rules: ImageRules | undefined = context?.["images"];
  if (!rules) throw new Error("An image's address was checked without the site's rules");
  return rules;
}
