import type { Request } from "express";
import ipaddr from "ipaddr.js";

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
  // A proxy may hand on whatever its client wrote: what is no address counts for the proxy.
  const address = request.ip !== undefined && ipaddr.isValid(request.ip) ? request.ip : peer;
  const isOwn = address === peer && (isLoopback(peer) || isTrusted(peer, request));
  return { address, key: addressKey(address), isBannable: !isOwn };
}

function isTrusted(peer: string, { app }: Request): boolean {
  const trusts = app.get("trust proxy fn") as (address: string, hop: number) => boolean;
  return trusts(peer, 0);
}
