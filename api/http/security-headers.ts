import cors from "cors";
import type { RequestHandler } from "express";
import helmet from "helmet";

import { allowedOrigins, type Config } from "../../shared/config/config.ts";

/** A JSON API loads nothing and is framed by nobody; pages that do say so for themselves. */
export function securityHeaders(config: Config): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    strictTransportSecurity: config.PUBLIC_BASE_URL.startsWith("https:"),
    crossOriginResourcePolicy: { policy: "same-origin" },
  });
}

/** What the two pages served here (API description, queue health) may load: their own files. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** Cookies make answers differ by caller, so no origin but the configured ones may read them. */
export function crossOrigin(config: Config): RequestHandler {
  return cors({
    origin: [...allowedOrigins(config)],
    credentials: true,
    maxAge: 600,
    exposedHeaders: [
      "ETag",
      "Link",
      "Location",
      "Preference-Applied",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "X-Request-Id",
    ],
  });
}
