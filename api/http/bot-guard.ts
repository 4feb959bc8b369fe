import type { RequestHandler } from "express";

import { addBotScore } from "../../shared/auth/throttle/bot-score.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Context } from "../../shared/platform/context.ts";
import { AppError, unknownPathError } from "../../shared/platform/errors/errors.ts";
import { isCausedByPage } from "../origin/fetch-metadata.ts";
import { type RequestOrigin, readRequestOrigin } from "../origin/origin.ts";
import { isJunkPath } from "./junk-paths.ts";

/**
 * Refuses banned addresses, except for paths that scanners try: for these paths, all callers get the answer for
 * an unknown path, so that a scanner learns nothing. A request for a scanner's path raises the bot score, unless
 * the browser marks the request as sent by a page: any website can make its visitors' browsers request a
 * scanner's path, for example with an image. A scanner can fake that mark.
 */
export function botGuard(context: SiteContext): RequestHandler {
  return async (request, _response, next) => {
    const origin = readRequestOrigin(request);
    if (isJunkPath(request.path)) {
      if (!isCausedByPage(request)) await scoreJunk(origin, context);
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
    await addBotScore(origin.networks, "junk", context);
  } catch (error) {
    context.log.warn({ err: error }, "the bot score of an IP address could not be raised");
  }
}
