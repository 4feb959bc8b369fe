import type { Request } from "express";

import type { Config } from "../../shared/platform/config/config.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { isEmbedded, isForApps, isFromForeignPage } from "../origin/fetch-metadata.ts";
import { refuseForms } from "./body.ts";
import { refusesForeign, spends } from "./limiters.ts";
import type { Route } from "./route.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * A page of another site must not act with a visitor's cookies, nor sign them in as somebody else.
 * Browsers send `Origin` with every cross-site write; callers without one (apps, scripts) hold no
 * cookies of anybody else, but must send what no form can: JSON, or nothing.
 *
 * A route that spends something of the visitor's answers neither such a page nor an embedded load, with
 * any method. `countArrival` does not count them, so none of them may get to the work that is limited:
 * a program can send the same headers, to have tries that are not counted.
 * @throws AppError 403
 */
export function refuseCrossSite(route: Route, request: Request, config: Config): void {
  const isFromElsewhere = isFromForeignPage(request, config);
  if (refusesForeign(route) ? isFromElsewhere : isFromElsewhere && isGuarded(request)) {
    throw new AppError("cross_site", "Cross-site request refused");
  }
  if (spends(route) && isEmbedded(request)) {
    throw new AppError("cross_site", "Not as an image, a script or a frame of a page");
  }
  const isOfProgram =
    request.headers.origin === undefined && !("sec-fetch-site" in request.headers);
  if (isOfProgram && isGuarded(request)) refuseForms(request);
}

/** Whether a request could act with a visitor's cookies, or plant some. */
const isGuarded = (request: Request): boolean =>
  !safeMethods.includes(request.method) &&
  request.headers.authorization === undefined &&
  !isForApps(request);
