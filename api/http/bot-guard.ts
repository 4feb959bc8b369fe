import type { RequestHandler } from "express";

import { addScore } from "../../shared/auth/bot-score.ts";
import type { Context } from "../../shared/context.ts";
import { forbidden, missing } from "../../shared/errors.ts";
import { isJunkPath } from "./junk-paths.ts";
import { type Origin, originOf } from "./origin.ts";

/**
 * What scanners try is answered as any unknown path is, also to the banned: they learn nothing by
 * it. Everything else is closed to a banned address.
 */
export function botGuard(context: Context): RequestHandler {
  return async (request, _response, next) => {
    const origin = originOf(request);
    if (isJunkPath(request.path)) {
      await scoreJunk(origin, context);
      throw missing();
    }
    if (await isBanned(origin, context)) throw forbidden();
    next();
  };
}

const isBanned = async ({ key, isBannable }: Origin, { bans }: Context): Promise<boolean> =>
  isBannable && bans.isBanned(key);

/** The answer is the same whatever becomes of the score, so a failing store is logged alone. */
async function scoreJunk(origin: Origin, context: Context): Promise<void> {
  try {
    if (!origin.isBannable || (await context.bans.isBanned(origin.key))) return;
    await addScore(origin.key, "junk", context);
  } catch (error) {
    context.log.warn({ err: error }, "a scanner could not be scored");
  }
}
