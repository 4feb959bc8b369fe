import type { Request } from "express";

import {
  isRateLimitError,
  requireLoginAllowed,
  refuseBlockedLogin,
  refundLoginAttempt,
} from "../../shared/auth/throttle/login-limits.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { type Caller, callerKey as callerSubject } from "../../shared/platform/access/caller.ts";
import { isPossiblyExecuted } from "../../shared/platform/bridge/bridge-error.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import {
  isCountedOnSuccess,
  findRateLimit,
  type RouteLimitName,
} from "../../shared/platform/throttle/limit-catalog.ts";
import { type CountedSubject, listLimitSubjects } from "../../shared/platform/throttle/subjects.ts";
import {
  separateForeignSubjects,
  isEmbedded,
  isForeignOrEmbedded,
} from "../origin/fetch-metadata.ts";
import { readRequestOrigin } from "../origin/origin.ts";
import type { Route } from "./route.ts";

/** The name of a limit. `login` stands for all limits of sign-in. */
export type LimiterName = "login" | RouteLimitName;

/** Returns true if requests to a route count towards a limit of the visitor or their address. */
export const isRateLimited = ({ limiters, holdsStream }: CountedRoute): boolean =>
  limiters !== undefined || holdsStream === true;

/** Returns true if a route refuses requests of foreign pages, because they would count towards a limit. */
export const isForeignPageRefused = (route: CountedRoute): boolean =>
  isRateLimited(route) && !route.limiters?.every(countsForeignApart);

type CountedRoute = Pick<Route, "limiters" | "holdsStream">;

const countsForeignApart = (name: LimiterName): boolean =>
  name !== "login" && findRateLimit(name).foreign === "apart";

/**
 * Counts a request on arrival. Limits that count only successes are checked here too, before sign-in, but are
 * counted after the gate. A request that `refuseCrossSite` refuses is not counted, because any website can
 * cause such requests.
 * @throws AppError rate_limited
 */
export async function countArrivingRequest(
  route: Route,
  request: Request,
  context: SiteContext,
): Promise<void> {
  if (isRefusedLater(route, request, context)) {
    await refuseWithoutCount(route, request, context);
    return;
  }
  for (const name of route.limiters ?? []) {
    if (name === "login") await requireLoginAllowed(readRequestOrigin(request).address, context);
    else if (isCountedOnSuccess(name)) await requireLeft(name, request, context);
    else if (findRateLimit(name).counted === "arrival") await spend(name, request, null, context);
  }
}

const isRefusedLater = (route: Route, request: Request, { config }: Context): boolean =>
  isEmbedded(request) || (isForeignPageRefused(route) && isForeignOrEmbedded(request, config));

/** Refuses a request if a limit is already reached, without counting it. */
async function refuseWithoutCount(
  route: Route,
  request: Request,
  context: SiteContext,
): Promise<void> {
  for (const name of route.limiters ?? []) {
    if (name === "login") await refuseBlockedLogin(readRequestOrigin(request).address, context);
    else if (findRateLimit(name).counted !== "entry" && !findRateLimit(name).isKeptInMemory) {
      await requireLeft(name, request, context);
    }
  }
}

/**
 * Counts a request that the gate has admitted. Limits that count only successes come last, so that a refusal by
 * another limit does not use them up.
 * @throws AppError rate_limited
 */
export async function countAdmittedRequest(
  route: Route,
  request: Request,
  caller: Caller | null,
  context: SiteContext,
): Promise<void> {
  const names = plainLimitersOf(route);
  const onEntry = names.filter((name) => findRateLimit(name).counted === "entry");
  for (const name of [...onEntry, ...names.filter(isCountedOnSuccess)]) {
    await spend(name, request, caller, context);
  }
}

export interface RefusedRequest {
  readonly route: Route;
  readonly request: Request;
  readonly caller: Caller | null;
  readonly error: unknown;
}

/** Undoes the count of a refused request, unless its handler may have done the work before the error. */
export async function refundLimits(
  { route, request, caller, error }: RefusedRequest,
  context: SiteContext,
): Promise<void> {
  const isRefused = error instanceof AppError && !isPossiblyExecuted(error);
  for (const name of isRefused ? plainLimitersOf(route).filter(isCountedOnSuccess) : []) {
    await context.rateLimits.refund(name, countedOf(name, request, caller, context));
  }
  if (isLogin(route) && isRateLimitError(error)) {
    await refundLoginAttempt(readRequestOrigin(request).address, context);
  }
}

const isLogin = (route: Route): boolean => route.limiters?.includes("login") === true;

const plainLimitersOf = (route: Route): RouteLimitName[] =>
  (route.limiters ?? []).filter((name) => name !== "login");

const requireLeft = (name: RouteLimitName, request: Request, context: SiteContext): Promise<void> =>
  context.rateLimits.requireRemaining(name, countedOf(name, request, null, context));

async function spend(
  name: RouteLimitName,
  request: Request,
  caller: Caller | null,
  context: SiteContext,
): Promise<void> {
  const { rateLimits } = context;
  const counted = countedOf(name, request, caller, context);
  const { left, endsInMs } = await rateLimits.countUse(name, counted);
  if (!findRateLimit(name).isTold) return;
  const seconds = Math.ceil(endsInMs / 1000);
  request.res?.set("RateLimit-Policy", `"${name}";q=${rateLimits.max(name)}`);
  request.res?.set("RateLimit", `"${name}";r=${left};t=${seconds}`);
}

/** Returns true if the answers of a route report how many requests the limit still allows. */
export const hasLimitHeaders = (route: Route): boolean =>
  plainLimitersOf(route).some((name) => findRateLimit(name).isTold === true);

/** Returns the subjects (user, visitor, address or network) under which a limit counts a request, narrowest first. */
function countedOf(
  name: RouteLimitName,
  request: Request,
  caller: Caller | null,
  { config }: Context,
): readonly CountedSubject[] {
  const { per } = findRateLimit(name);
  if (per === "user" && caller) return [{ id: String(callerSubject(caller)), times: 1 }];
  const subjects = listLimitSubjects(
    readRequestOrigin(request).networks,
    config,
    per === "site" ? "site" : "address",
  );
  return countsForeignApart(name) ? separateForeignSubjects(request, subjects, config) : subjects;
}
