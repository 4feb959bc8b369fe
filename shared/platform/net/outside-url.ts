import { isIP, isIPv4, isIPv6 } from "node:net";

/** Characters of a URL that is stored: what an entry of an index holds. */
export const longestUrl = 2_048;

const localNames = [".local", ".internal", ".localhost"];

/**
 * Reads a URL that may be stored and asked: of no scheme but http and https, and with nothing in it
 * that a request would not carry.
 * @returns the URL, or the rule that it breaks
 */
export function readPlainUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (!url || text.length > longestUrl || url.href.length > longestUrl) {
    return `must be a URL of at most ${longestUrl} characters`;
  }
  if (!["http:", "https:"].includes(url.protocol)) return notHttps;
  if (url.username !== "" || url.password !== "" || url.href.includes("#")) {
    return "must hold no user, password or fragment";
  }
  return url;
}

/**
 * Reads an https URL of somebody else's server, as far as it can be told before its name is looked up.
 * @returns the URL, or the rule that it breaks
 */
export function readOutsideUrl(text: string): URL | string {
  const url = readPlainUrl(text);
  if (typeof url === "string") return url;
  if (url.protocol !== "https:") return notHttps;
  return isOutsideName(url.hostname) ? url : "must name a public host, not an address";
}

const notHttps = "must be an https URL";

/** A literal would never be looked up, so its address would never be checked. */
function isOutsideName(host: string): boolean {
  if (host.startsWith("[") || isIP(host) !== 0 || host.endsWith(".")) return false;
  return host !== "localhost" && !localNames.some((end) => host.endsWith(end));
}

/** A label of a name: letters, digits and hyphens, none of them first or last. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const longestName = 253;

/**
 * Whether a text is a host and a port alone, as game clients take it: a name or an IPv4 address, or an
 * IPv6 address in brackets, then a colon and a port from 1 to 65535. No scheme, path or blank is part of it.
 */
export function isHostPort(text: string): boolean {
  const {
    host,
    name = "",
    port,
  } = /^(?<host>\[(?<name>[^\]]*)\]|[^:[\]]+):(?<port>[1-9]\d{0,4})$/.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) return false;
  return host.startsWith("[") ? isIPv6(name) && !name.includes("%") : isHost(host);
}

function isHost(host: string): boolean {
  const labels = host.split(".");
  // A name whose last label is a number is read as an address.
  if (/^\d+$/.test(labels.at(-1) ?? "")) return isIPv4(host);
  return host.length <= longestName && labels.every((each) => label.test(each));
}
