import { isIP, isIPv4, isIPv6 } from "node:net";

/** Maximum length of a stored URL in characters, because an index entry is limited in size. */
export const longestUrl = 2_048;

const localNames = [".local", ".internal", ".localhost"];

/**
 * Parses an http or https URL without user, password and fragment. Returns the URL, or the rule that the text
 * breaks.
 */
export function parseHttpUrl(text: string): URL | string {
  const url = URL.parse(text);
  if (!url || text.length > longestUrl || url.href.length > longestUrl) {
    return `must be a URL of at most ${longestUrl} characters`;
  }
  if (!["http:", "https:"].includes(url.protocol)) return notHttps;
  if (url.username !== "" || url.password !== "" || url.href.includes("#")) {
    return "must not contain a user, password or fragment";
  }
  return url;
}

/**
 * Parses an https URL of an external server, before its name is resolved. Returns the URL, or the rule that the
 * text breaks.
 */
export function parseExternalUrl(text: string): URL | string {
  const url = parseHttpUrl(text);
  if (typeof url === "string") return url;
  if (url.protocol !== "https:") return notHttps;
  return isExternalHost(url.hostname) ? url : "must name a public host, not an address";
}

const notHttps = "must be an https URL";

/** Refuses IP addresses in URLs: they are never resolved, so the check after resolving would not see them. */
function isExternalHost(host: string): boolean {
  if (host.startsWith("[") || isIP(host) !== 0 || host.endsWith(".")) return false;
  return host !== "localhost" && !localNames.some((end) => host.endsWith(end));
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const longestName = 253;

/**
 * True for `host:port` as game clients accept it: a name, an IPv4 address or an IPv6 address in brackets, and a
 * port of 1 to 65535.
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
  // A URL parser reads a host whose last label is a number as an IPv4 address.
  if (/^\d+$/.test(labels.at(-1) ?? "")) return isIPv4(host);
  return host.length <= longestName && labels.every((each) => label.test(each));
}
