import type { Request } from "express";
import { LRUCache } from "lru-cache";

import { readForwarded, type UnreadForm } from "../../shared/platform/net/forwarded-address.ts";
import {
  isLoopback,
  type Networks,
  networksOf,
  plainAddress,
} from "../../shared/platform/net/networks.ts";

/** Where a request comes from: all that counts, bans, logs and mails know of its address. */
export interface Origin {
  /** In its one form: without a port, IPv4 never written as IPv6. */
  readonly address: string;
  /** What the address is counted under. */
  readonly networks: Networks;
  /**
   * False for a proxy of ours, and for this machine, when they forwarded nobody's address: a ban
   * would shut out everyone behind them.
   */
  readonly isBannable: boolean;
  /** What a trusted proxy wrote in place of an address: the request counts for the peer then. */
  readonly unread?: UnreadForm;
}

/** A connection tells its peer no more once it is gone: what is read on arrival holds. */
const read = new WeakMap<Request, Origin>();

/** The one reader of addresses: nothing else asks Express, the socket or X-Forwarded-For for one. */
export function originOf(request: Request): Origin {
  const known = read.get(request);
  if (known) return known;
  const origin = readOrigin(request);
  read.set(request, origin);
  return origin;
}

function readOrigin(request: Request): Origin {
  const peer = peerOf(request);
  const forwarded = readHops(request, peer);
  const address = forwarded.address ?? peer;
  const { networks, isHere } = aboutAddress(address);
  const isOwn = address === peer && (isHere || isFromProxy(request));
  const { unread } = forwarded;
  return { address, networks, isBannable: !isOwn, ...(unread && { unread }) };
}

interface Hop {
  readonly address?: string;
  readonly unread?: UnreadForm;
}

/**
 * Follows X-Forwarded-For from its end, where the peer wrote, for as long as the hop that wrote an entry
 * is trusted. Express would skip an empty entry, and take what stands before it, which the client may
 * have written; and to it an address with a port is none, so that it is no trusted proxy's.
 */
function readHops(request: Request, peer: string): Hop {
  const trusts = trustOf(request);
  // Node joins several of these headers by commas.
  let rest = request.headers["x-forwarded-for"]?.toString();
  let hop: Hop = { address: peer };
  for (let at = 0; rest !== undefined && trusts(hop.address ?? "", at); at += 1) {
    const comma: number = rest.lastIndexOf(",");
    hop = readForwarded(rest.slice(comma + 1));
    rest = comma < 0 ? undefined : rest.slice(0, comma);
  }
  return hop;
}

const mostKnown = 5_000;

// In memory on purpose: taking an address apart costs more than finding its route, and the same ones
// come again.
const known = new LRUCache<string, { readonly networks: Networks; readonly isHere: boolean }>({
  max: mostKnown,
});

function aboutAddress(address: string) {
  const about = known.get(address);
  if (about) return about;
  const made = { networks: networksOf(address), isHere: isLoopback(address) };
  known.set(address, made);
  return made;
}

/** Whether the peer that sent a request is a proxy whose word is taken. */
export const isFromProxy = (request: Request): boolean => trustOf(request)(peerOf(request), 0);

/** The address that the connection comes from: whoever wrote the end of X-Forwarded-For. */
export const peerOf = ({ socket }: Request): string =>
  plainAddress(socket.remoteAddress) ?? socket.remoteAddress ?? "unknown";

type Trust = (address: string, hop: number) => boolean;

const trustOf = ({ app }: Request): Trust => app.get("trust proxy fn") as Trust;
