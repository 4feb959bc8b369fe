import { isCountedAsGuess } from "../../shared/auth/rules/sign-in-errors.ts";
import { addBotScore, type BotSignal } from "../../shared/auth/throttle/bot-score.ts";
import { signInFaultOf } from "../../shared/auth/throttle/login-limits.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { readRequestOrigin } from "../origin/origin.ts";
import { refundLimits, type RefusedRequest } from "./limiters.ts";

/** Counts a refusal towards the limits and the bot score of its origin. */
export async function countRefusal(refused: RefusedRequest, context: SiteContext): Promise<void> {
  const { networks, isBannable } = readRequestOrigin(refused.request);
  await refundLimits(refused, context);
  const sign = signOf(refused);
  if (sign !== undefined && isBannable) await addBotScore(networks, sign, context);
}

function signOf({ route, error }: RefusedRequest): BotSignal | undefined {
  const fault = signInFaultOf(error);
  if (fault !== undefined) return isCountedAsGuess(fault) ? fault : undefined;
  const type = (error as { type?: unknown } | null)?.type;
  const isMalformed = type === "entity.parse.failed" && route.path.startsWith("/api/v1/auth/");
  return isMalformed ? "malformed" : undefined;
}
