import { isIPv4, isIPv6 } from "node:net";

import { normalizeAddress } from "./networks.ts";

/** CATALOGUE of invalid entries in X-Forwarded-For, with descriptions for administrators. */
export const invalidAddressForms = {
  empty: "nothing",
  ipv4: "an invalid IPv4 address or port",
  ipv6: "an invalid IPv6 address, or a port after an IPv6 address without brackets",
  element: "an element of the Forwarded header (for=…) or a quoted text",
  name: "a name, such as unknown, _hidden or a host name",
  other: "some other text",
} as const;
export type InvalidAddressForm = keyof typeof invalidAddressForms;

/** Parses an entry of X-Forwarded-For: an address, with or without brackets and port. Drops the port. */
export function parseForwardedAddress(
  entry: string,
): { readonly address: string } | { readonly unread: InvalidAddressForm } {
  const text = entry.trim();
  const address = normalizeAddress(withoutPort(text));
  return address === undefined ? { unread: formOf(text) } : { address };
}

function withoutPort(text: string): string {
  const [, ipv6, ipv4, port = "0"] =
    /^(?:\[([^[\]]*)\]|([\d.]+)(?=:))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (Number(port) > 65_535) return text;
  if (ipv6 !== undefined && isIPv6(ipv6)) return ipv6;
  return ipv4 !== undefined && isIPv4(ipv4) ? ipv4 : text;
}

function formOf(text: string): InvalidAddressForm {
  if (text === "") return "empty";
  if (/^[\d.]+(?::\d*)?$/.test(text)) return "ipv4";
  if (/^\[?[\da-f]*:[\da-f:.]*(?:\]?(?::\d*)?)$/i.test(text)) return "ipv6";
  if (/["=]/.test(text)) return "element";
  return /^[\w.-]+(?::[\w.-]*)?$/.test(text) ? "name" : "other";
}
