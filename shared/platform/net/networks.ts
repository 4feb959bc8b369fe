import { isIP } from "node:net";

import ipaddr from "ipaddr.js";

/**
 * What addresses are counted by. `address`: an IPv4 address, or an IPv6 /64, which one household holds
 * as a whole. `site`: an IPv6 /56, which a provider may give one household. `network`: an IPv6 /48, or
 * an IPv4 /24, which one customer of a hosting provider may hold.
 */
export type NetworkWidth = "address" | "site" | "network";

/** A network that an address is part of. */
export interface Network {
  /** `198.51.100.7`, or a prefix such as `2001:db8::/48`; the text itself where it is no address. */
  readonly key: string;
  readonly width: NetworkWidth;
}

/** The networks of one address, the narrowest first. */
export type Networks = readonly [Network, ...Network[]];

const ipv6Bytes = { address: 8, site: 7, network: 6 } as const;
const ipv4Bytes = { network: 3 } as const;

/**
 * An IPv4 address that is written as IPv6 is in the networks of the IPv4 address, and so is one that a
 * translator (64:ff9b::/96) or 6to4 (2002::/16) has put into IPv6: everybody behind the first would be one
 * address, and each address of the second a network.
 */
export function networksOf(text: string | undefined): Networks {
  const parsed = parseAddress(text);
  if (!parsed) return [{ key: text || "unknown", width: "address" }];
  const address = embeddedIn(parsed) ?? parsed;
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

/** What an address is counted under by itself: the key of its narrowest network. */
export const addressKey = (text: string | undefined): string => networksOf(text)[0].key;

/** The keys of an address's networks, the widest first: its place in what shares by networks. */
export const networkPath = (text: string | undefined): readonly string[] =>
  networksOf(text)
    .map(({ key }) => key)
    .toReversed();

/**
 * An address in its one form: IPv4 never written as IPv6, and no zone, which means something on the
 * machine alone that wrote it.
 * @returns undefined for any other text
 */
export const plainAddress = (text: string | undefined): string | undefined =>
  parseAddress(text)?.toString();

/** Whether an address is this machine's own. */
export const isLoopback = (text: string): boolean => parseAddress(text)?.range() === "loopback";

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

/** Where the IPv4 address begins in IPv6 addresses of a range. */
const embeddedAt: Readonly<Record<string, number>> = { rfc6052: 12, "6to4": 2 };

function embeddedIn(address: Parsed): Parsed | undefined {
  const at = embeddedAt[address.range()];
  return at === undefined
    ? undefined
    : ipaddr.fromByteArray(address.toByteArray().slice(at, at + 4));
}

/** Node decides what an address is: the library also takes `1`, `0x7f.1` and octal numbers for IPv4. */
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

/** Counts things that are there now (streams, requests that wait) for each network of their addresses. */
export class NetworkCounts {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  countOf({ key }: Network): number {
    return this.#counts.get(key) ?? 0;
  }

  add(networks: Networks): void {
    this.#total += 1;
    for (const network of networks) this.#counts.set(network.key, this.countOf(network) + 1);
  }

  /** @param networks that were added before */
  remove(networks: Networks): void {
    this.#total -= 1;
    for (const network of networks) {
      const left = this.countOf(network) - 1;
      if (left > 0) this.#counts.set(network.key, left);
      else this.#counts.delete(network.key);
    }
  }
}
