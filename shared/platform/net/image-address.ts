import Joi from "joi";

import { allowedOrigins, type Config } from "../config/config.ts";

/** What says which addresses are the site's own, and where its public pictures lie. */
export type ImageRules = Pick<
  Config,
  "PUBLIC_BASE_URL" | "ALLOWED_ORIGINS" | "CONTENT_IMAGE_PATHS"
>;

/** Characters of an image's address that is stored. */
const longest = 2_048;

/** CATALOGUE of the routes of the API that answer a picture to everybody, by their paths. */
const ownPictures = [
  /^\/api\/v1\/public\/assets\/[\w:]+$/,
  /^\/api\/v1\/public\/assets\/by-hash\/[\da-f]{64}$/,
  /^\/api\/v1\/public\/survival\/servers\/\d+\/map\/image$/,
];

/** A file of the web app: an encoded slash or dot might be read as another path behind a proxy. */
const pictureFile = /^[^%]+\.(?:avif|gif|ico|jpe?g|png|svg|webp)$/i;

/** A path of the site. A second slash would begin another host. */
const ownPath = /^\/(?!\/)/;

/**
 * An address that names its host in the one way that every reader takes for one: on a page of https,
 * browsers resolve `https:/wp-login.php` and `https:a.png` as paths of the site.
 */
const hostedAddress = /^[a-z][a-z\d+.-]*:\/\//i;

/** Browsers leave out line breaks and tabs, which may hide what an address is. */
// oxlint-disable-next-line no-control-regex
const blanks = /[\u0000-\u0020]/;

/**
 * Whether an image may come from there. Whoever shows the text has their browser ask for it, so of the
 * site itself it may be a public picture alone, and elsewhere it must be https: nobody between reads
 * along or puts in another one.
 */
export const isImageSource = (address: string, rules: ImageRules): boolean =>
  isSourceOf(address, ["https:"], rules);

/**
 * The address to show of an image that was stored, perhaps under other rules.
 * @returns null where no image may come from there now
 */
export const shownImage = (address: string | null, rules: ImageRules): string | null =>
  address !== null && isSourceOf(address, ["https:", "http:"], rules) ? address : null;

/** The same of an icon, which may be a name that the web app has a picture for. */
export const shownIcon = (icon: string | null, rules: ImageRules): string | null =>
  icon !== null && isName(icon) ? icon : shownImage(icon, rules);

const isName = (text: string): boolean => /^[\w -]{1,64}$/.test(text);

/** Whether a website's address holds the name or password of a user, which nobody should be led to send. */
export const holdsUser = ({ username, password }: URL): boolean =>
  username !== "" || password !== "";

function isSourceOf(address: string, schemes: readonly string[], rules: ImageRules): boolean {
  if (blanks.test(address) || address.length > longest) return false;
  const isPath = ownPath.test(address);
  if (!isPath && !hostedAddress.test(address)) return false;
  const url = isPath ? URL.parse(address, rules.PUBLIC_BASE_URL) : URL.parse(address);
  if (!url || holdsUser(url)) return false;
  // What a backslash or dots make of a path is read from the URL.
  const isOfSite = isOwn(url, rules);
  if (isOfSite && !isOwnPicture(url.pathname, rules)) return false;
  return isPath ? isOfSite : isOneOf(url, schemes);
}

const isOneOf = ({ protocol }: URL, schemes: readonly string[]): boolean =>
  schemes.includes(protocol);

/** Whether an address leads to the site, at whatever port: a name may end with a dot. */
const isOwn = ({ hostname }: URL, rules: ImageRules): boolean =>
  allowedOrigins(rules).some((origin) => new URL(origin).hostname === hostname.replace(/\.$/, ""));

const isOwnPicture = (path: string, { CONTENT_IMAGE_PATHS }: ImageRules): boolean =>
  ownPictures.some((picture) => picture.test(path)) ||
  (pictureFile.test(path) && CONTENT_IMAGE_PATHS.some((folder) => path.startsWith(folder)));

interface ImageOptions {
  readonly schemes: readonly string[];
  readonly takesPaths: boolean;
  /** A name that the web app has a picture for stands in the place of an address. */
  readonly takesNames?: true;
  /** The rule in words, for the refusal. */
  readonly rule: string;
}

/**
 * The field of an image's address. The check reads the site's rules from the context of the validation,
 * as `imageContext` makes it.
 */
export const imageAddress = ({
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

/** What a validation is given, for the fields of images. */
export const imageContext = (rules: ImageRules): Joi.Context => ({ images: rules });

function rulesIn(context: Joi.Context | undefined): ImageRules {
  const rules: ImageRules | undefined = context?.["images"];
  if (!rules) throw new Error("An image's address was checked without the site's rules");
  return rules;
}
