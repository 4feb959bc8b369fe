import type { RequestHandler } from "express";

import { addScore } from "../../shared/auth/throttle/bot-score.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError, unknownPathError } from "../../shared/platform/errors/errors.ts";
import { isChosenByPage } from "../origin/fetch-metadata.ts";
import { type RequestOrigin, readRequestOrigin } from "../origin/origin.ts";
import { isJunkPath } from "./junk-paths.ts";

/**
 * Answers paths that scanners try like unknown paths, even for banned addresses, so that a scanner learns
 * nothing. Other paths refuse banned addresses. Any website can make its visitors' browsers request a scanner
 * path, for example with an image. If a browser marks a request as sent by a page, it therefore does not raise
 * the bot score, although a scanner can fake that mark.
 */
export function botGuard(context: SiteContext): RequestHandler {
  return async (request, _response, next) => {
    const origin = readRequestOrigin(request);
    if (isJunkPath(request.path)) {
      if (!isChosenByPage(request)) await scoreJunk(origin, context);
      throw unknownPathError();
    }
    const banned = isBanned(origin, context);
    if (typeof banned === "boolean" ? banned : await banned) {
      throw new AppError("banned", "Forbidden");
    }
    next();
  };
}

const isBanned = (
  { networks, isBannable }: RequestOrigin,
  { bans }: Context,
): boolean | Promise<boolean> => isBannable && bans.isBanned(networks);

/** Failures to store the score are only logged, because the answer does not depend on it. */
async function scoreJunk(origin: RequestOrigin, context: SiteContext): Promise<void> {
  try {
    if (!origin.isBannable || (await context.bans.isBanned(origin.networks))) return;
    await addScore(origin.networks, "junk", context);
  } catch (error) {
    context.log.warn({ err: error }, "the bot score of an IP address could not be raised");
  }
}
