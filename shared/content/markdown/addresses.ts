import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { holdsUser } from "../../platform/net/image-address.ts";
import type { RemovalRule } from "./removed-parts.ts";

/** Browsers leave out line breaks and tabs, which may hide what an address is. */
// oxlint-disable-next-line no-control-regex
const blanks = /[\u0000-\u0020\u007F]/;

const scheme = /^([a-z][a-z\d+.-]*):/i;

/** RFC 3986 allows no colon in the first segment of a relative address: it would end a scheme. */
const colonInFirstSegment = /^[^/?#]*:/;

/** A relative address is resolved against this one, to see whether it stays on the site. */
const page = "https://site.invalid/wiki/page";

/**
 * The rule that a link's address breaks; undefined where the link is allowed.
 * @param addedSchemes those of `CONTENT_LINK_SCHEMES`
 */
export function findLinkFault(
  address: string,
  addedSchemes: readonly string[],
): RemovalRule | undefined {
  if (address === "" || blanks.test(address)) return "link_malformed";
  const [, name] = scheme.exec(address) ?? [];
  if (name !== undefined) return findFaultOfAbsolute(address, name.toLowerCase(), addedSchemes);
  return colonInFirstSegment.test(address) ? "link_scheme" : findFaultOfRelative(address);
}

function findFaultOfAbsolute(
  address: string,
  name: string,
  addedSchemes: readonly string[],
): RemovalRule | undefined {
  if (!linkSchemes(addedSchemes).includes(name)) return "link_scheme";
  const url = URL.parse(address);
  if (url?.protocol !== `${name}:`) return "link_malformed";
  // The user before the `@` looks like the website. In other schemes, as mumble, it is a nickname.
  return isOutside(address) && holdsUser(url) ? "link_user" : undefined;
}

function findFaultOfRelative(address: string): RemovalRule | undefined {
  const url = URL.parse(address, page);
  if (!url) return "link_malformed";
  return url.origin === new URL(page).origin && !holdsUser(url) ? undefined : "link_host";
}

/** Whether a link leads to a website by its full address. */
export const isOutside = (address: string): boolean => /^https?:/i.test(address);
