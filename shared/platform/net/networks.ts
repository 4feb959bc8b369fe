import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/**
 * The units by which clients are counted. `address`: an IPv4 address, or an IPv6 /64, which is usually
 * one household. `site`: an IPv6 /56, which may be one household. `network`: an IPv6 /48 or IPv4 /24,
 * which may be one customer of a hosting provider.
 */
export type NetworkWidth = "address" | "site" | "network";

export interface Network {
  /** `198.51.100.7`, or a prefix such as `2001:db8::/48`; the text itself if it is no address. */
  readonly key: string;
  readonly width: NetworkWidth;
}

/** Sorted from the narrowest to the widest. */
export type AddressNetworks = readonly [Network, ...Network[]];

const ipv6Bytes = { address: 8, site: 7, network: 6 } as const;
const ipv4Bytes = { network: 3 } as const;

/**
 * Returns the networks of an address. An IPv4 address inside an IPv6 address (IPv4-mapped, NAT64, 6to4)
 * is treated as IPv4. Otherwise all clients of a NAT64 would be one address, and each 6to4 address a
 * network of its own.
 */
export function networksOf(text: string | undefined): AddressNetworks {
  const parsed = parseAddress(text);
  if (!parsed) return [{ key: text || "unknown", width: "address" }];
  const address = embeddedIpv4(parsed) ?? parsed;
  if (address.kind() === "ipv4") {
    return [
      { key: address.toString(), width: "address" },
      networkOf(address, "network", ipv4Bytes),
    ];
  }
  return [
    networkOf(address, "address", ipv6Bytes),
    networkOf(address, "site", ipv6Bytes),
    networkOf(address, "network", ipv6Bytes),
  ];
}

export const addressKey = (text: string | undefined): string => networksOf(text)[0].key;

/** Returns the keys of the address's networks, widest first. */
export const listNetworkKeys = (text: string | undefined): readonly string[] =>
  networksOf(text)
    .map(({ key }) => key)
    .toReversed();

/** Normalizes an address: converts IPv4 in IPv6 form, and drops a zone, which is local to a machine. */
export const normalizeAddress = (text: string | undefined): string | undefined =>
  parseAddress(text)?.toString();

export const isLoopback = (text: string): boolean => parseAddress(text)?.range() === "loopback";

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Byte offset of the IPv4 address inside IPv6 addresses of these ranges. */
const embeddedAt: Readonly<Record<string, number>> = { rfc6052: 12, "6to4": 2 };

function embeddedIpv4(address: Parsed): Parsed | undefined {
  const at = embeddedAt[address.range()];
  return at === undefined
    ? undefined
    : ipaddr.fromByteArray(address.toByteArray().slice(at, at + 4));
}

/** Check with Node first, because ipaddr.js also accepts `1`, `0x7f.1` and octal numbers as IPv4. */
function parseAddress(text: string | undefined): Parsed | undefined {
  if (text === undefined || isIP(text) === 0) return undefined;
  return ipaddr.process(text.replace(/%.*$/, ""));
}

function networkOf<Width extends NetworkWidth>(
  address: Parsed,
  width: Width,
  bytesOf: Readonly<Record<Width, number>>,
): Network {
  const bytes = bytesOf[width];
  const kept = address.toByteArray().map((byte, at) => (at < bytes ? byte : 0));
  return { key: `${ipaddr.fromByteArray(kept).toString()}/${bytes * 8}`, width };
}

/** Counts the open streams or waiting requests of each network. */
export class NetworkCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  countOf({ key }: Network): number {
    return this.#counts.get(key) ?? 0;
  }

  add(networks: AddressNetworks): void {
    this.#total += 1;
    for (const network of networks) this.#counts.set(network.key, this.countOf(network) + 1);
  }

  remove(networks: AddressNetworks): void {
    this.#total -= 1;
    for (const network of networks) {
      const left = this.countOf(network) - 1;
      if (left > 0) this.#counts.set(network.key, left);
      else this.#counts.delete(network.key);
    }
  }
}
