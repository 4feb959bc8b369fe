import type { Request } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import { allowedOrigins, type Config } from "../../shared/config/config.ts";
import { forbidden } from "../../shared/errors.ts";

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * A page of another site must not act with a visitor's cookies. Browsers send `Origin` with every
 * cross-site write; callers without one (apps, scripts) hold no cookies of anybody else.
 * @throws AppError 403
 */
export function refuseCrossSite(request: Request, caller: Caller | null, config: Config): void {
  if (safeMethods.includes(request.method) || caller?.via === "mobile") return;
  const origin = request.headers.origin;
  if (origin !== undefined && allowedOrigins(config).includes(origin)) return;
  const site = request.headers["sec-fetch-site"];
  const foreign = site === "cross-site" || site === "same-site";
  if (foreign || origin !== undefined) throw forbidden("Cross-site request refused");
}
