import type { IncomingMessage } from "node:http";

import { LRUCache } from "lru-cache";

import {
  parseForwardedAddress,
  type InvalidAddressForm,
} from "../../shared/platform/net/forwarded-address.ts";
import {
  isLoopback,
  type AddressNetworks,
  networksOf,
  normalizeAddress,
} from "../../shared/platform/net/networks.ts";

/** The origin of a request. Limits, bans, logs and emails get the address only from here. */
export interface RequestOrigin {
  /** The normalized address: without a port, and IPv4 is never written as IPv6. */
  readonly address: string;
  /** The networks of the address. Limits count requests per network. */
  readonly networks: AddressNetworks;
  /**
   * False if the address is that of our own proxy or machine, because none was forwarded: a ban would affect
   * everyone behind it.
   */
  readonly isBannable: boolean;
  /** The kind of fault if a trusted proxy sent an invalid address; `address` is then that of the proxy. */
  readonly unread?: InvalidAddressForm;
}

/** A request of Express, or one that Express has not seen yet. */
export interface ArrivedRequest extends IncomingMessage {
  /** The application, which knows the trusted proxies. */
  readonly app: { get(name: string): unknown };
}

const originKey = Symbol("origin");

/** A request with its origin. A `WeakMap` of requests would cost as much time as reading the address. */
interface RequestWithOrigin extends ArrivedRequest {
  [originKey]?: RequestOrigin;
}

/**
 * Returns the origin of a request. No other code reads addresses from Express, the socket or X-Forwarded-For.
 * The address is read on arrival, because a closed connection no longer has it.
 */
export const readRequestOrigin = (request: RequestWithOrigin): RequestOrigin =>
  (request[originKey] ??= readOrigin(request));

function readOrigin(request: ArrivedRequest): RequestOrigin {
  const peer = readPeerAddress(request);
  const forwarded = readHops(request, peer);
  const address = forwarded.address ?? peer;
  const { networks, isHere } = describeAddress(address);
  const isOwn = address === peer && (isHere || isFromProxy(request));
  const { unread } = forwarded;
  return { address, networks, isBannable: !isOwn, ...(unread && { unread }) };
}

interface Hop {
  readonly address?: string;
  readonly unread?: InvalidAddressForm;
}

/**
 * Reads X-Forwarded-For from its end, as long as a trusted proxy wrote the entry. Unlike Express, it does not
 * skip an empty entry, because the client may have written the one before, and it accepts an address with a port.
 */
function readHops(request: ArrivedRequest, peer: string): Hop {
  const trusts = trustOf(request);
  // Node joins several of these headers with commas.
  let rest = request.headers["x-forwarded-for"]?.toString();
  let hop: Hop = { address: peer };
  for (let at = 0; rest !== undefined && trusts(hop.address ?? "", at); at += 1) {
    const comma: number = rest.lastIndexOf(",");
    hop = parseForwardedAddress(rest.slice(comma + 1));
    rest = comma < 0 ? undefined : rest.slice(0, comma);
  }
  return hop;
}

const maxCachedAddresses = 5_000;

interface KnownAddress {
  readonly address: string;
  readonly networks: AddressNetworks;
  readonly isHere: boolean;
}

// A cache in memory: parsing an address costs more than routing, and the same addresses repeat.
const known = new LRUCache<string, KnownAddress>({ max: maxCachedAddresses });

/** Normalizes an address and computes its networks. A text that is not an address stays as it is. */
function describeAddress(text: string): KnownAddress {
  const about = known.get(text);
  if (about) return about;
  const address = normalizeAddress(text) ?? text;
  const made = { address, networks: networksOf(address), isHere: isLoopback(address) };
  known.set(text, made);
  return made;
}

/** Returns true if the request's peer is a trusted proxy. */
export const isFromProxy = (request: ArrivedRequest): boolean =>
  trustOf(request)(readPeerAddress(request), 0);

/** The address of the connection. Its other end wrote the last entry of X-Forwarded-For. */
export const readPeerAddress = ({ socket }: ArrivedRequest): string =>
  describeAddress(socket.remoteAddress ?? "unknown").address;

type Trust = (address: string, hop: number) => boolean;

const trustOf = ({ app }: ArrivedRequest): Trust => app.get("trust proxy fn") as Trust;
