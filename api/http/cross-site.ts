import type { Request } from "express";

import type { Config } from "../../shared/platform/config/config.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { isEmbedded, isMobileRoute, isFromForeignPage } from "../origin/fetch-metadata.ts";
import { refuseForms } from "./body.ts";
import { isForeignPageRefused, isRateLimited } from "./limiters.ts";
import type { Route } from "./route.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses requests in which a page of another site acts with a visitor's cookies or signs the visitor in.
 * Browsers send `Origin` with every cross-site write. A write without `Origin` must have JSON or no body, because
 * a form cannot send that. A rate-limited route refuses requests by foreign pages and embedded resources with any
 * method: `countArrivingRequest` does not count these requests, so a program could otherwise avoid the limit by
 * sending the headers of a foreign page.
 * @throws AppError 403
 */
export function refuseCrossSite(route: Route, request: Request, config: Config): void {
  const isFromElsewhere = isFromForeignPage(request, config);
  if (isForeignPageRefused(route) ? isFromElsewhere : isFromElsewhere && isGuarded(request)) {
    throw new AppError("cross_site", "Cross-site request refused");
  }
  if (isRateLimited(route) && isEmbedded(request)) {
    throw new AppError("cross_site", "A page cannot load this as an image, a script or a frame");
  }
  const isOfProgram =
    request.headers.origin === undefined && !("sec-fetch-site" in request.headers);
  if (isOfProgram && isGuarded(request) && route.bodyAs !== "form") refuseForms(request);
}

/** Returns true if the request could use or set a visitor's cookies. */
const isGuarded = (request: Request): boolean =>
  !safeMethods.includes(request.method) &&
  request.headers.authorization === undefined &&
  !isMobileRoute(request);
