import type { Request } from "express";

import { findTokenCaller, isApiToken } from "../../shared/auth/administration/token-caller.ts";
import {
  findCaller,
  type GivenToken,
  readCredential,
} from "../../shared/auth/sessions/sessions.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller, Credential } from "../../shared/platform/access/caller.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError, unauthenticated } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { originOf } from "../origin/origin.ts";
import { readCookie } from "./cookies.ts";
import { needsSession } from "./gates.ts";
import type { Route } from "./route.ts";

/** Reads the caller of one request when first asked, and says the same from then on. */
export type ReadCaller = () => Promise<Caller | null>;

export function callerReader(request: Request, context: SiteContext): ReadCaller {
  let reading: Promise<Caller | null> | undefined;
  return () => (reading ??= readCaller(request, context));
}

/**
 * The caller by their credential and the fresh row behind it. An `Authorization` header counts
 * alone: falling back to the cookie would let a page act with it past the cross-site check.
 */
function readCaller(request: Request, context: SiteContext): Promise<Caller | null> {
  const given = tokenOf(request, context);
  if (!given) return nobody;
  if (given.via === "web" || !isApiToken(given.token)) return callerOf(given, context);
  return lookups.run(originOf(request).address, () => findTokenCaller(given.token, context));
}

/**
 * Tokens of programs that are looked up at once. Nobody but the database tells one from a made-up text,
 * so strangers who send such texts would take every connection of the pool.
 */
const lookups = new FairQueue({
  atOnce: 2,
  caps: { network: 128, total: 1_024 },
  refusal: () => new AppError("busy", "Too many tokens are looked up at once", { retryAfter: 1 }),
});

const nobody = Promise.resolve(null);

async function callerOf(given: GivenToken, context: SiteContext): Promise<Caller | null> {
  const credential = await readCredential(given, context.config);
  return credential && findCaller(credential, context);
}

/** @throws AppError unauthenticated where the gate lets nobody in without a session */
export async function authenticate(
  { gate }: Route,
  request: Request,
  read: ReadCaller,
): Promise<Caller | null> {
  // Challenges, refresh tokens and keys of plugins are no sessions: their routes read them.
  if (gate === "challenge" || gate === "refresh" || gate === "plugin") return null;
  const caller = await read();
  if (caller || !needsSession(gate)) return caller;
  askForToken(request);
  throw unauthenticated();
}

/** What every 401 of a route that needs a session carries (RFC 6750 §3). */
export function askForToken(request: Request): void {
  const fault = request.headers.authorization === undefined ? "" : ' error="invalid_token"';
  request.res?.set("WWW-Authenticate", `Bearer${fault}`);
}

/** The credential a request carries, as it was signed: it may have expired or been revoked. */
export async function readSignedCredential(
  request: Request,
  context: SiteContext,
): Promise<Credential | null> {
  const given = tokenOf(request, context);
  return given && readCredential(given, context.config);
}

function tokenOf(request: Request, { config }: Context): GivenToken | null {
  const { authorization } = request.headers;
  const [via, token] =
    authorization === undefined
      ? (["web", readCookie(request, "session", config)] as const)
      : (["mobile", bearerOf(authorization)] as const);
  return token === undefined ? null : { via, token };
}

/** The token of a bearer header; undefined for any other scheme. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];
