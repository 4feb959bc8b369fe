import type { Config } from "../../config/config.ts";
import { readOutsideUrl } from "../../net/outside-url.ts";

type Rules = Pick<Config, "PUSH_ALLOWED_ORIGINS">;

/**
 * Reads the address of a device at its relay. It must be an https URL at a configured origin.
 * @returns the URL, or the rule that it breaks
 */
export function readEndpoint(text: string, rules: Rules): URL | string {
  const url = readOutsideUrl(text);
  if (typeof url === "string") return url;
  return isAllowed(url, rules) ? url : "must be at a push relay that this site allows";
}

const isAllowed = (url: URL, { PUSH_ALLOWED_ORIGINS }: Rules): boolean =>
  PUSH_ALLOWED_ORIGINS.some((allowed) => allowed === url.origin || isUnder(allowed, url.origin));

/** Whether the origin has one label where the allowed one has a `*`. */
function isUnder(allowed: string, origin: string): boolean {
  const [start, end, ...more] = allowed.split("*");
  if (start !== "https://" || end === undefined || more.length > 0) return false;
  const label = origin.slice(start.length, -end.length);
  return origin.endsWith(end) && label !== "" && !label.includes(".");
}
