import type { Config } from "../../platform/config/config.ts";
import { parseExternalUrl, parseHttpUrl } from "../../platform/net/external-url.ts";
import { resolvePublicAddresses, resolveHost } from "../../platform/net/public-address.ts";

type Rules = Pick<Config, "PUSH_ALLOWED_ORIGINS" | "PUSH_EXTRA_ORIGINS">;

/**
 * Parses a device's endpoint: an https URL at a configured origin.
 * @returns the URL, or the rule that the text breaks
 */
export function readEndpoint(text: string, rules: Rules): URL | string {
  const plain = parseHttpUrl(text);
  if (typeof plain !== "string" && isOperatorRelay(plain.origin, rules)) return plain;
  const url = parseExternalUrl(text);
  if (typeof url === "string" || isAllowed(url, rules)) return url;
  return `is at ${url.host}, a push relay that this site does not allow: PUSH_EXTRA_ORIGINS adds relays`;
}

/**
 * Looks up a relay's addresses. They must be public unless the operator configured exactly this relay.
 * @throws {ForbiddenAddressError} {HostNotFoundError} {ResolverError}
 */
export async function findRelayAddresses(
  origin: string,
  config: Config,
): Promise<readonly string[]> {
  const { hostname } = new URL(origin);
  if (!isOperatorRelay(origin, config)) return resolvePublicAddresses(hostname, config);
  return resolveHost(hostname, config.PUSH_DNS, config.PUSH_TIMEOUT);
}

/**
 * Returns true if the operator configured exactly this relay, which may be private. A match of a pattern is not
 * enough: it admits unchecked hosts.
 */
const isOperatorRelay = (origin: string, { PUSH_EXTRA_ORIGINS }: Rules): boolean =>
  // `https://*.host` is a valid URL, so a device could send it.
  !origin.includes("*") && PUSH_EXTRA_ORIGINS.includes(origin);

const isAllowed = (url: URL, { PUSH_ALLOWED_ORIGINS, PUSH_EXTRA_ORIGINS }: Rules): boolean =>
  [...PUSH_ALLOWED_ORIGINS, ...PUSH_EXTRA_ORIGINS].some(
    (allowed) => allowed === url.origin || matchesPattern(allowed, url.origin),
  );

/** Returns true if the origin matches the pattern. A `*` matches one label. */
function matchesPattern(allowed: string, origin: string): boolean {
  const [start, end, ...more] = allowed.split("*");
  if (start !== "https://" || end === undefined || more.length > 0) return false;
  const label = origin.slice(start.length, -end.length);
  return origin.endsWith(end) && label !== "" && !label.includes(".");
}
