import { holdsUser } from "../../net/image-address.ts";

/** A path of this site. A backslash, or a second slash, would begin another host. */
const ownPath = /^\/(?![/\\])/;

const linked: readonly string[] = ["http:", "https:", "mailto:"];

/**
 * Whether a link may lead there: a place on the page or the site, a website or a mailbox. What stands
 * before an `@` looks like the site that a link leads to, so no website's address may hold a user.
 */
export const isLinkable = (address: string): boolean =>
  address.startsWith("#") || isOwnPath(address) || linked.includes(schemeOf(address) ?? "");

/** Whether a link leaves the site. */
export const isOutside = (address: string): boolean =>
  ["http:", "https:"].includes(schemeOf(address) ?? "");

const isOwnPath = (address: string): boolean => ownPath.test(address) && !hasSpaces(address);

/** Browsers leave out line breaks and tabs, which may hide what an address is. */
// oxlint-disable-next-line no-control-regex
const hasSpaces = (address: string): boolean => /[\u0000-\u0020]/.test(address);

function schemeOf(address: string): string | undefined {
  const url = hasSpaces(address) ? null : URL.parse(address);
  return url && !holdsUser(url) ? url.protocol : undefined;
}
