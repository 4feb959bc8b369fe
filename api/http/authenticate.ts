import type { Request } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import { findCaller, readCredential } from "../../shared/auth/sessions.ts";
import type { Context } from "../../shared/context.ts";
import { unauthenticated } from "../../shared/errors.ts";
import { readCookie } from "../auth/cookies.ts";
import { needsSession } from "./gates.ts";
import type { Route } from "./route.ts";

/**
 * Reads the caller's credential and the fresh row behind it. An `Authorization` header counts
 * alone: falling back to the cookie would let a page act with it past the cross-site check.
 * @throws AppError unauthenticated where the gate lets nobody in without a session
 */
export async function authenticate(
  { gate }: Route,
  request: Request,
  context: Context,
): Promise<Caller | null> {
  // Challenges and refresh tokens are no sessions: their routes read them by themselves.
  if (gate === "challenge" || gate === "refresh") return null;
  const { authorization } = request.headers;
  const caller =
    authorization === undefined
      ? await callerByCookie(request, context)
      : await callerByBearer(authorization, context);
  if (caller || !needsSession(gate)) return caller;
  askForToken(request);
  throw unauthenticated();
}

/** What every 401 of a route that needs a session carries (RFC 6750 §3). */
export function askForToken(request: Request): void {
  const fault = request.headers.authorization === undefined ? "" : ' error="invalid_token"';
  request.res?.set("WWW-Authenticate", `Bearer${fault}`);
}

async function callerByCookie(request: Request, context: Context): Promise<Caller | null> {
  const token = readCookie(request, "session", context.config);
  return token === undefined ? null : callerBy("web", token, context);
}

async function callerByBearer(authorization: string, context: Context): Promise<Caller | null> {
  const token = bearerOf(authorization);
  return token === undefined ? null : callerBy("mobile", token, context);
}

/** The token of a bearer header; undefined for any other scheme. */
export const bearerOf = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];

async function callerBy(
  via: Caller["via"],
  token: string,
  context: Context,
): Promise<Caller | null> {
  const credential = await readCredential(via, token, context.config);
  return credential && findCaller(credential, context);
}
