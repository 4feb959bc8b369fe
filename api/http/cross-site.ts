import type { Request } from "express";

import { allowedOrigins, type Config } from "../../shared/config/config.ts";
import { AppError } from "../../shared/errors.ts";
import { refuseForms } from "./body.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** The app's routes read no cookie and set none: a page gains nothing by calling them. */
const cookieless = "/api/v1/auth/mobile/";

/**
 * A page of another site must not act with a visitor's cookies, nor sign them in as somebody else.
 * Browsers send `Origin` with every cross-site write; callers without one (apps, scripts) hold no
 * cookies of anybody else, but must send what no form can: JSON, or nothing.
 * @throws AppError 403
 */
export function refuseCrossSite(request: Request, config: Config): void {
  if (safeMethods.includes(request.method)) return;
  // A page sends this header to another site only after a preflight, which foreign origins fail.
  if (request.headers.authorization !== undefined || request.path.startsWith(cookieless)) return;
  const origin = request.headers.origin;
  if (origin !== undefined && allowedOrigins(config).includes(origin)) return;
  const site = request.headers["sec-fetch-site"];
  const foreign = site === "cross-site" || site === "same-site";
  if (foreign || origin !== undefined) {
    throw new AppError("cross_site", "Cross-site request refused");
  }
  if (site === undefined) refuseForms(request);
}
