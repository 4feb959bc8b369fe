import { BlockList, isIP } from "node:net";

import ipaddr from "ipaddr.js";

// Of each version a list of its own: one list would look an IPv4 address up as an IPv6 one too.

/** IPv4 networks where no service of the public internet is; the library's own list lacks some. */
const closed4 = listOf("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
]);

/** Of IPv6 only 2000::/3 is given out; what of that leads elsewhere stands last. */
const closed6 = listOf("ipv6", [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
]);

function listOf(version: "ipv4" | "ipv6", networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), version);
  }
  return list;
}

/**
 * Whether an address belongs to a service of the public internet, and not to this machine, its
 * network or nobody. IPv4 addresses that are written or carried as IPv6 do not.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // A zone, as in `fe80::1%eth0`, is for links of this machine.
  if (version === 0 || address.includes("%")) return false;
  if (ipaddr.parse(address).range() !== "unicast") return false;
  return version === 6 ? !closed6.check(address, "ipv6") : !closed4.check(address, "ipv4");
}
