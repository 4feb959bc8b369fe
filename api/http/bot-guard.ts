import type { RequestHandler } from "express";

import { addScore } from "../../shared/auth/throttle/bot-score.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError, unknownPath } from "../../shared/platform/errors/errors.ts";
import { isChosenByPage } from "../origin/fetch-metadata.ts";
import { type Origin, originOf } from "../origin/origin.ts";
import { isJunkPath } from "./junk-paths.ts";

/**
 * Paths of scanners are answered like any unknown path, to banned addresses too, so that a scanner
 * learns nothing. Every other path is closed to a banned address.
 *
 * Any page can have its visitors' browsers ask for such a path, by an image for example, so a request
 * that a browser marks as a page's is refused and scores nothing. A scanner that sends the mark is refused
 * as well, and is not banned for these paths.
 */
export function botGuard(context: SiteContext): RequestHandler {
  return async (request, _response, next) => {
    const origin = originOf(request);
    if (isJunkPath(request.path)) {
      if (!isChosenByPage(request)) await scoreJunk(origin, context);
      throw unknownPath();
    }
    const banned = isBanned(origin, context);
    if (typeof banned === "boolean" ? banned : await banned) {
      throw new AppError("banned", "Forbidden");
    }
    next();
  };
}

const isBanned = (
  { networks, isBannable }: Origin,
  { bans }: Context,
): boolean | Promise<boolean> => isBannable && bans.isBanned(networks);

/** The answer is the same whatever becomes of the score, so a failing store is logged alone. */
async function scoreJunk(origin: Origin, context: SiteContext): Promise<void> {
  try {
    if (!origin.isBannable || (await context.bans.isBanned(origin.networks))) return;
    await addScore(origin.networks, "junk", context);
  } catch (error) {
    context.log.warn({ err: error }, "a scanner could not be scored");
  }
}
