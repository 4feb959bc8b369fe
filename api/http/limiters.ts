import type { Request } from "express";

import { type Caller, subjectOf as callerSubject } from "../../shared/auth/caller/caller.ts";
import {
  isLimited,
  passLoginLimits,
  returnLoginTry,
  withinLoginCap,
} from "../../shared/auth/throttle/throttle.ts";
import { mayBeDone } from "../../shared/bridge/doubt.ts";
import type { Context } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { addressKey } from "../../shared/net/address-key.ts";
import {
  countsSuccess,
  limitOf,
  type RateLimit,
  type RouteLimitName,
} from "../../shared/throttle/limit-catalogue.ts";
import { originOf } from "../origin/origin.ts";
import type { Route } from "./route.ts";

/** A limit that a route may name; `login` is all of those that sign-in counts by itself. */
export type LimiterName = "login" | RouteLimitName;

/**
 * Counts a request on its arrival. Limits of what succeeds refuse here as well, before sign-in is
 * asked for, and are spent once the request was let in.
 * @throws AppError limited
 */
export async function countArrival(
  route: Route,
  request: Request,
  context: Context,
): Promise<void> {
  for (const name of route.limiters ?? []) {
    if (name === "login") await passLoginLimits(originOf(request).key, context);
    else if (countsSuccess(name)) await requireLeft(name, request, context);
    else if (limitOf(name).counted === "arrival") await spend(name, request, null, context);
  }
}

/**
 * Counts a request whose caller was let in. Limits of what succeeds come last, so that none is
 * spent when another limit refuses.
 * @throws AppError limited
 */
export async function countEntry(
  route: Route,
  request: Request,
  caller: Caller | null,
  context: Context,
): Promise<void> {
  const names = plainLimitersOf(route);
  const onEntry = names.filter((name) => limitOf(name).counted === "entry");
  for (const name of [...onEntry, ...names.filter(countsSuccess)]) {
    await spend(name, request, caller, context);
  }
}

/** Runs what answers a request, counted beforehand where it may be a failed proof of identity. */
export const withinCaps = <T>(
  route: Route,
  request: Request,
  context: Context,
  work: () => Promise<T>,
): Promise<T> => (isLogin(route) ? withinLoginCap(originOf(request).key, context, work) : work());

/** What was being answered when it was refused. */
export interface Refused {
  readonly route: Route;
  readonly request: Request;
  readonly caller: Caller | null;
  readonly error: unknown;
}

/**
 * Gives back what a refused request was counted where only success counts. What was answered with an
 * error and may have been done all the same is no refusal: it stays counted.
 */
export async function giveBack(
  { route, request, caller, error }: Refused,
  context: Context,
): Promise<void> {
  const isRefused = error instanceof AppError && !mayBeDone(error);
  for (const name of isRefused ? plainLimitersOf(route).filter(countsSuccess) : []) {
    await context.rateLimits.refund(name, subjectOf(limitOf(name), request, caller));
  }
  if (isLogin(route) && isLimited(error)) await returnLoginTry(originOf(request).key, context);
}

const isLogin = (route: Route): boolean => route.limiters?.includes("login") === true;

const plainLimitersOf = (route: Route): RouteLimitName[] =>
  (route.limiters ?? []).filter((name) => name !== "login");

const requireLeft = (
  name: RouteLimitName,
  request: Request,
  { rateLimits }: Context,
): Promise<void> => rateLimits.requireLeft(name, subjectOf(limitOf(name), request, null));

async function spend(
  name: RouteLimitName,
  request: Request,
  caller: Caller | null,
  { rateLimits }: Context,
): Promise<void> {
  const limit = limitOf(name);
  const { left, endsInMs } = await rateLimits.spend(name, subjectOf(limit, request, caller));
  if (!limit.isTold) return;
  const seconds = Math.ceil(endsInMs / 1000);
  request.res?.set("RateLimit-Policy", `"${name}";q=${rateLimits.max(name)}`);
  request.res?.set("RateLimit", `"${name}";r=${left};t=${seconds}`);
}

/** Whether a route's answers tell what is left of its limits. */
export const tellsLimit = (route: Route): boolean =>
  plainLimitersOf(route).some((name) => limitOf(name).isTold === true);

/** An IPv6 household may be given a /56. */
const networkBytes = 7;

function subjectOf({ per }: RateLimit, request: Request, caller: Caller | null): string {
  const { address, key } = originOf(request);
  if (per === "user") return caller ? String(callerSubject(caller)) : key;
  return per === "network" ? addressKey(address, networkBytes) : key;
}
