import { isIPv4, isIPv6 } from "node:net";

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
