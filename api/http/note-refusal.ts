import type { Request } from "express";

import { addScore, type BotSign } from "../../shared/auth/bot-score.ts";
import type { Caller } from "../../shared/auth/caller.ts";
import {
  countLoginFailure,
  isLimited,
  returnLoginTry,
  signInFaultOf,
} from "../../shared/auth/throttle.ts";
import type { Context } from "../../shared/context.ts";
import { giveBack } from "./limiters.ts";
import { originOf } from "./origin.ts";
import type { Route } from "./route.ts";

/** What was being answered when it was refused. */
export interface Refused {
  readonly route: Route;
  readonly request: Request;
  readonly caller: Caller | null;
  readonly error: unknown;
}

/** Counts a refusal towards the limits and the score of where it came from. */
export async function noteRefusal(refused: Refused, context: Context): Promise<void> {
  const { route, request, caller, error } = refused;
  const { key, isBannable } = originOf(request);
  const isLogin = route.limiters?.includes("login") === true;
  await giveBack(route, request, caller, context);
  if (isLogin && isLimited(error)) await returnLoginTry(key, context);
  const sign = signOf(refused);
  if (sign === undefined) return;
  if (isLogin && sign !== "malformed") await countLoginFailure(key, context);
  if (isBannable) await addScore(key, sign, context);
}

function signOf({ route, error }: Refused): BotSign | undefined {
  const fault = signInFaultOf(error);
  if (fault !== undefined) return fault === "incomplete" ? undefined : fault;
  const type = (error as { type?: unknown } | null)?.type;
  const isMalformed = type === "entity.parse.failed" && route.path.startsWith("/api/v1/auth/");
  return isMalformed ? "malformed" : undefined;
}
