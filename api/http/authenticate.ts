import type { Request } from "express";

import { findTokenCaller, isApiToken } from "../../shared/auth/administration/token-caller.ts";
import {
  findCaller,
  type RequestToken,
  readCredential,
} from "../../shared/auth/sessions/sessions.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller, Credential } from "../../shared/platform/access/caller.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError, unauthenticatedError } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { readRequestOrigin } from "../origin/origin.ts";
import { readCookie } from "./cookies.ts";
import { needsSession } from "./gates.ts";
import type { Route } from "./route.ts";

/** Reads the caller of one request at the first call, and returns the same caller afterwards. */
export type CallerReader = () => Promise<Caller | null>;

export function createCallerReader(request: Request, context: SiteContext): CallerReader {
  let reading: Promise<Caller | null> | undefined;
  return () => (reading ??= readCaller(request, context));
}

/**
 * Finds the caller by their credential and its stored row. With an `Authorization` header, the cookie is ignored:
 * otherwise a page could add a dummy header to bypass the cross-site check and act with the cookie.
 */
function readCaller(request: Request, context: SiteContext): Promise<Caller | null> {
  const given = tokenOf(request, context);
  if (!given) return nobody;
  if (given.via === "web" || !isApiToken(given.token)) return callerOf(given, context);
  return lookups.run(readRequestOrigin(request).address, () =>
    findTokenCaller(given.token, context),
  );
}

/** Limits concurrent token lookups: made-up tokens cost a query too, and could use up the connections. */
const lookups = new FairQueue({
  atOnce: 2,
  caps: { network: 128, total: 1_024 },
  refusal: () =>
    new AppError("busy", "Too many tokens are being checked at once: try again in a moment", {
      retryAfter: 1,
    }),
});

const nobody = Promise.resolve(null);

async function callerOf(given: RequestToken, context: SiteContext): Promise<Caller | null> {
  const credential = await readCredential(given, context.config);
  return credential && findCaller(credential, context);
}

/**
 * Challenges, refresh tokens and keys of game servers are not sessions. The routes with these gates read them.
 */
const credentialGates: readonly Route["gate"][] = ["challenge", "refresh", "plugin", "reportKey"];

/** @throws AppError unauthenticated if the gate requires a session and there is none */
export async function authenticate(
  { gate }: Route,
  request: Request,
  read: CallerReader,
): Promise<Caller | null> {
  if (credentialGates.includes(gate)) return null;
  const caller = await read();
  if (caller || !needsSession(gate)) return caller;
  setAuthenticateHeader(request);
  throw unauthenticatedError();
}

/** Sets the header of a 401 from a route that requires a session (RFC 6750 §3). */
export function setAuthenticateHeader(request: Request): void {
  const fault = request.headers.authorization === undefined ? "" : ' error="invalid_token"';
  request.res?.set("WWW-Authenticate", `Bearer${fault}`);
}

/** Returns the request's signed credential, which can be expired or revoked. */
export async function readSignedCredential(
  request: Request,
  context: SiteContext,
): Promise<Credential | null> {
  const given = tokenOf(request, context);
  return given && readCredential(given, context.config);
}

function tokenOf(request: Request, { config }: Context): RequestToken | null {
  const { authorization } = request.headers;
  const [via, token] =
    authorization === undefined
      ? (["web", readCookie(request, "session", config)] as const)
      : (["mobile", findBearerToken(authorization)] as const);
  return token === undefined ? null : { via, token };
}

/** Returns the token of a bearer header; undefined for any other scheme. */
export const findBearerToken = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+)$/i.exec(authorization)?.[1];
