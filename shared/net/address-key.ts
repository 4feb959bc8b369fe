import ipaddr from "ipaddr.js";

/**
 * What an address is counted under. One household holds a whole IPv6 /64, so it counts as one; an
 * IPv4 address counts alike however it is written.
 * @param ipv6Bytes leading bytes that tell IPv6 addresses apart
 */
export function addressKey(address: string | undefined, ipv6Bytes = 8): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().map((byte, at) => (at < ipv6Bytes ? byte : 0));
  return `${ipaddr.fromByteArray(network).toString()}/${ipv6Bytes * 8}`;
}

/** The address as one writes it: an IPv4 one never as IPv6. */
export const plainAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;

/** Whether an address is this machine's own. */
export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
