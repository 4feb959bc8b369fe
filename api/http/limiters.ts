import type { Request } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import { countsDone, type RateLimitName } from "../../shared/auth/rate-limits.ts";
import { passLoginLimits } from "../../shared/auth/throttle.ts";
import type { Context } from "../../shared/context.ts";
import { addressKey } from "../../shared/net/address-key.ts";
import { originOf } from "./origin.ts";
import type { Route } from "./route.ts";

interface Limiter {
  /** Who is counted; `network` is an IPv6 /56, as one household may hold. */
  readonly per: "address" | "addressAndProvider" | "network" | "user";
  /** Whether answers tell what is left; on the way in that would help those who guess. */
  readonly isTold?: boolean;
}

/**
 * CATALOGUE of the limits a route may name, beside `login`, which is several; how many of each
 * stand in the catalogue of counts.
 */
const limiters = {
  register: { per: "address" },
  forgot: { per: "address" },
  reset: { per: "address" },
  invite: { per: "address" },
  refresh: { per: "address" },
  mobileStart: { per: "addressAndProvider" },
  mobileExchange: { per: "address" },
  userChange: { per: "user" },
  linkCode: { per: "user" },
  linkCodeAddress: { per: "address" },
  gameAccount: { per: "network" },
  gameAccountTry: { per: "user" },
  market: { per: "address", isTold: true },
} as const satisfies Partial<Readonly<Record<RateLimitName, Limiter>>>;

type PlainLimiter = keyof typeof limiters;
export type LimiterName = "login" | PlainLimiter;

/**
 * Counts a request against the limits that need no session. Those of what is done refuse here as
 * well, before sign-in is asked for, and are spent once the request was let in.
 * @throws AppError limited
 */
export async function countLimits(route: Route, request: Request, context: Context): Promise<void> {
  for (const name of route.limiters ?? []) {
    if (name === "login") await passLoginLimits(originOf(request).key, context);
    else if (countsDone(name)) await requireLeft(name, request, context);
    else if (!isPerUser(name)) await spend(name, request, null, context);
  }
}

/**
 * Counts a request that was let in against the limits of users, and of what is done. The latter
 * come last, so that none is spent when another limit refuses.
 * @throws AppError limited
 */
export async function countCallerLimits(
  route: Route,
  request: Request,
  caller: Caller | null,
  context: Context,
): Promise<void> {
  const names = plainLimitersOf(route);
  for (const name of [...names.filter(isPerUser), ...names.filter(countsDone)]) {
    await spend(name, request, caller, context);
  }
}

/** Gives back what a refused request was counted, where only what was done counts. */
export async function giveBack(
  route: Route,
  request: Request,
  caller: Caller | null,
  { rateLimits }: Context,
): Promise<void> {
  for (const name of plainLimitersOf(route).filter(countsDone)) {
    await rateLimits.refund(name, subjectOf(limiters[name], request, caller));
  }
}

const plainLimitersOf = (route: Route): PlainLimiter[] =>
  (route.limiters ?? []).filter((name) => name !== "login");

const isPerUser = (name: PlainLimiter): boolean => limiters[name].per === "user";

const requireLeft = (
  name: PlainLimiter,
  request: Request,
  { rateLimits }: Context,
): Promise<void> => rateLimits.requireLeft(name, subjectOf(limiters[name], request, null));

async function spend(
  name: PlainLimiter,
  request: Request,
  caller: Caller | null,
  { rateLimits }: Context,
): Promise<void> {
  const limiter: Limiter = limiters[name];
  const { left, endsInMs } = await rateLimits.spend(name, subjectOf(limiter, request, caller));
  if (!limiter.isTold) return;
  const seconds = Math.ceil(endsInMs / 1000);
  request.res?.set("RateLimit-Policy", `"${name}";q=${rateLimits.max(name)}`);
  request.res?.set("RateLimit", `"${name}";r=${left};t=${seconds}`);
}

/** An IPv6 household may be given a /56. */
const networkBytes = 7;

function subjectOf({ per }: Limiter, request: Request, caller: Caller | null): string {
  const { address, key } = originOf(request);
  if (per === "user") return String(caller?.userId ?? key);
  if (per === "network") return addressKey(address, networkBytes);
  const { provider } = request.query;
  return per === "address" || typeof provider !== "string" ? key : `${key} ${provider}`;
}
