import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import cors from "cors";
import helmet from "helmet";

import { allowedOrigins, type Config } from "../../shared/platform/config/config.ts";
import type { ArrivalStep } from "./on-arrival.ts";

/** What a page of ours may load, by the directives of its policy. */
type Loads = Readonly<Partial<Record<`${"script" | "style" | "img" | "connect"}-src`, string>>>;

/**
 * The Content-Security-Policy of every answer. Browsers do not take `default-src` for where a document
 * may be framed, where its forms go and what its base is, so each is named.
 * @param loads what the answer loads, if it is a page
 */
const contentPolicy = (loads: Loads = {}): string =>
  Object.entries({
    "default-src": "'none'",
    ...loads,
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
  })
    .map((directive) => directive.join(" "))
    .join("; ");

/**
 * A JSON API loads nothing and is framed by nobody; pages that do say so for themselves. Each header
 * costs every answer, so those that concern documents alone are left to the pages.
 */
export function securityHeaders(config: Config): ArrivalStep {
  // They are the same for every answer, so they are worked out once.
  const headers = headersOfAll(config);
  return (_request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}

/** The headers that every answer carries, written for nobody. */
export function headersOfAll(config: Config): readonly (readonly [string, string])[] {
  const setAll = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: config.PUBLIC_BASE_URL.startsWith("https:"),
    crossOriginResourcePolicy: { policy: "same-origin" },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const headers: [string, string][] = [["Content-Security-Policy", contentPolicy()]];
  const request = new IncomingMessage(new Socket());
  const noted = new ServerResponse(request);
  noted.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return noted;
  };
  setAll(request, noted, () => undefined);
  return headers;
}

/** The pages served here (API description, queues, refusals) load their own files, and stand alone. */
export const pageHeaders = {
  "Content-Security-Policy": contentPolicy({
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
  }),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
} as const;

/**
 * Cookies make answers differ by caller, so no origin but the configured ones may read them.
 * Answers to requests without an `Origin` carry only `Vary: Origin`, for caches.
 */
export function crossOrigin(config: Config): ArrivalStep {
  const allow = cors({
    origin: [...allowedOrigins(config)],
    credentials: true,
    maxAge: 600,
    // The router answers preflights: scanners and banned addresses are refused whatever the method.
    preflightContinue: true,
    exposedHeaders: [
      "ETag",
      "Link",
      "Location",
      "Preference-Applied",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "X-Error-Code",
      "X-Request-Id",
    ],
  });
  return (request, response) => {
    const isAsked = request.headers.origin !== undefined || request.method === "OPTIONS";
    if (isAsked) allow(request, response, () => undefined);
    else response.setHeader("Vary", "Origin");
  };
}
