import type { Request } from "express";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

import { addressKey, isLoopback } from "../../shared/net/address-key.ts";

/** Where a request comes from, as far as limits and bans are concerned. */
export interface Origin {
  readonly address: string;
  /** What the address is counted under. */
  readonly key: string;
  /**
   * False for a proxy of ours, and for this machine, when they forwarded nobody's address: a ban
   * would shut out everyone behind them.
   */
  readonly isBannable: boolean;
}

export function originOf(request: Request): Origin {
  const peer = request.socket.remoteAddress ?? "";
  const isForwarded = request.headers["x-forwarded-for"] !== undefined;
  const given = (isForwarded && request.ip) || peer;
  // A proxy may hand on whatever its client wrote: what is no address counts for the proxy.
  const address = given !== peer && readAddress(given).isValid ? given : peer;
  const { key, isLoopback: isHere } = readAddress(address);
  const isOwn = address === peer && (isHere || isFromProxy(request));
  return { address, key, isBannable: !isOwn };
}

interface ReadAddress {
  readonly isValid: boolean;
  readonly isLoopback: boolean;
  readonly key: string;
}

const longestAddress = 45;
const mostKnown = 5_000;

// In memory on purpose: reading an address costs more than finding its route, and the same ones
// come again.
const known = new LRUCache<string, ReadAddress>({ max: mostKnown });

function readAddress(text: string): ReadAddress {
  const read = known.get(text);
  if (read) return read;
  const isValid = ipaddr.isValid(text);
  const made = { isValid, isLoopback: isLoopback(text), key: addressKey(text) };
  // A proxy's clients may make up texts of any length.
  if (text.length > longestAddress) return made;
  known.set(text, made);
  return made;
}

/** Whether the peer that sent a request is a proxy whose word is taken. */
export function isFromProxy({ app, socket }: Request): boolean {
  const trusts = app.get("trust proxy fn") as (address: string, hop: number) => boolean;
  return trusts(socket.remoteAddress ?? "", 0);
}
