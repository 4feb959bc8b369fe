import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

import type { Agent } from "undici";

import { isPublicAddress } from "./public-address.ts";

export interface OutboundRules {
  /** True to allow plain http, but only to this machine. */
  readonly allowInsecure: boolean;
  readonly allowPrivate: boolean;
  readonly largestBytes: number;
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly text: string;
}

/** A request that got no complete response. The message contains the reason. */
export class OutboundError extends Error {}

/**
 * Sends one request to an external server. Follows no redirects, which would bypass the rules.
 * @throws {OutboundError}
 */
export async function sendOutbound(
  { url, method, headers, body, signal }: OutboundRequest,
  rules: OutboundRules,
): Promise<OutboundResponse> {
  checkOutboundUrl(url, rules);
  const { request } = await loadUndici();
  const agent = await agentFor(rules);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      body: body ?? null,
      signal,
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    throw new OutboundError(reasonOf(error), { cause: error });
  } finally {
    // Do not wait for the rest of an unwanted response.
    void agent.destroy();
  }
}

/** Checks a URL before its host is resolved. @throws {OutboundError} */
export function checkOutboundUrl(
  url: string,
  { allowInsecure, allowPrivate }: OutboundRules,
): void {
  const parsed = URL.parse(url);
  if (!parsed) throw new OutboundError("the address is not a valid URL");
  const { protocol, hostname, username, password } = parsed;
  const isPlain = protocol === "http:" && allowInsecure && isThisMachine(hostname);
  if (protocol !== "https:" && !isPlain) throw new OutboundError("the address is not https");
  if (username !== "" || password !== "") {
    throw new OutboundError("the address contains a user name or a password");
  }
  // An IP address as host is never resolved, so `resolvePublic` would not check it.
  const host = hostname.replace(/^\[|\]$/g, "");
  const isOpen = allowPrivate || allowInsecure || isIP(host) === 0 || isPublicAddress(host);
  if (!isOpen) throw notPublic();
}

const isThisMachine = (hostname: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

const notPublic = () => new OutboundError("the IP address is not public");

/** Use one agent per request, so that no connection stays open and the host is resolved each time. */
async function agentFor({
  allowInsecure,
  allowPrivate,
  largestBytes,
}: OutboundRules): Promise<Agent> {
  const { Agent } = await loadUndici();
  return new Agent({
    maxResponseSize: largestBytes,
    pipelining: 0,
    connect: allowInsecure || allowPrivate ? {} : { lookup: resolvePublic },
  });
}

// Loaded with the first request, because most processes never send one.
const loadUndici = () => import("undici");

/** Resolves a host. Fails if one of its addresses is not public. */
const resolvePublic: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) done(error, []);
    else if (!addresses.every(({ address }) => isPublicAddress(address))) done(notPublic(), []);
    else if (options.all) done(null, addresses);
    else done(null, addresses[0]?.address ?? "", addresses[0]?.family);
  });
};

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.message;
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError") return "no answer in time";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return "the answer is too large";
  return code ?? message;
}
