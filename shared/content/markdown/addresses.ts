import { linkSchemes } from "../../platform/config/link-schemes.ts";
import { hasCredentials } from "../../platform/net/image-address.ts";
import type { RemovalRule } from "./removed-parts.ts";

/** Browsers drop line breaks and tabs, so these can disguise an address. */
// oxlint-disable-next-line no-control-regex
const blanks = /[\u0000-\u0020\u007F]/;

const scheme = /^([a-z][a-z\d+.-]*):/i;

/**
 * RFC 3986 forbids a colon in the first segment of a relative address, because the text before it would be a
 * scheme.
 */
const colonInFirstSegment = /^[^/?#]*:/;

/** Relative addresses are resolved against this page's address, to check that they stay on the site. */
const basePage = "https://site.invalid/wiki/page";

/** Returns the rule that a link's address breaks, or undefined. @param addedSchemes `CONTENT_LINK_SCHEMES` */
export function findLinkFault(
  address: string,
  addedSchemes: readonly string[],
): RemovalRule | undefined {
  if (address === "" || blanks.test(address)) return "link_malformed";
  const [, name] = scheme.exec(address) ?? [];
  if (name !== undefined) return findAbsoluteLinkFault(address, name.toLowerCase(), addedSchemes);
  return colonInFirstSegment.test(address) ? "link_scheme" : findRelativeLinkFault(address);
}

function findAbsoluteLinkFault(
  address: string,
  name: string,
  addedSchemes: readonly string[],
): RemovalRule | undefined {
  if (!linkSchemes(addedSchemes).includes(name)) return "link_scheme";
  const url = URL.parse(address);
  if (url?.protocol !== `${name}:`) return "link_malformed";
  // In a link to a website, a user name before the `@` can look like the host. In other schemes, such as mumble,
  // it is a nickname.
  return isExternalLink(address) && hasCredentials(url) ? "link_user" : undefined;
}

function findRelativeLinkFault(address: string): RemovalRule | undefined {
  const url = URL.parse(address, basePage);
  if (!url) return "link_malformed";
  return url.origin === new URL(basePage).origin && !hasCredentials(url) ? undefined : "link_host";
}

/** Returns true if a link is an absolute http or https address. */
export const isExternalLink = (address: string): boolean => /^https?:/i.test(address);
