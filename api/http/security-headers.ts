import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import cors from "cors";
import helmet from "helmet";

import { allowedOrigins, type Config } from "../../shared/platform/config/config.ts";
import type { RequestMiddleware } from "./on-arrival.ts";

/** The sources from which a page of this server may load files, by CSP directive. */
type Loads = Readonly<Partial<Record<`${"script" | "style" | "img" | "connect"}-src`, string>>>;

/**
 * Returns the Content-Security-Policy of an answer. `default-src` does not cover framing, forms and the base URL,
 * so each has a separate directive.
 * @param loads the files that a page loads
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
 * Sets the headers of every answer. A JSON API loads nothing and is never framed; pages set a policy of their
 * own. Headers that matter only for documents are sent only with pages, because each header costs time.
 */
export function securityHeaders(config: Config): RequestMiddleware {
  // The headers are the same for every answer, so compute them once.
  const headers = computeCommonHeaders(config);
  return (_request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}

/** Computes the headers of every answer with a dummy request. */
export function computeCommonHeaders(config: Config): readonly (readonly [string, string])[] {
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

const documentHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
} as const;

/** The files that the service's pages load: only those of this server. */
const ownFiles = {
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
} as const;

/** The headers of the console, which has no inline styles. */
export const consoleHeaders = {
  "Content-Security-Policy": contentPolicy(ownFiles),
  ...documentHeaders,
} as const;

/** The headers of the other pages (API description, refusals), which have inline styles. */
export const pageHeaders = {
  "Content-Security-Policy": contentPolicy({ ...ownFiles, "style-src": "'self' 'unsafe-inline'" }),
  ...documentHeaders,
} as const;

const reportsPath = "/api/v1/plugin/reports/";

/**
 * Allows only the configured origins to read answers, because answers depend on the cookies. If a request has
 * no `Origin`, its answer has only `Vary: Origin`, for caches.
 */
export function allowConfiguredOrigins(config: Config): RequestMiddleware {
  const allow = cors({
    origin: [...allowedOrigins(config)],
    credentials: true,
    maxAge: 600,
    // The router answers preflights, so that scanners and banned addresses are refused with any method.
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
    // Only games call this path. No page may read its answers.
    if (request.path.startsWith(reportsPath)) return;
    const isAsked = request.headers.origin !== undefined || request.method === "OPTIONS";
    if (isAsked) allow(request, response, () => undefined);
    else response.setHeader("Vary", "Origin");
  };
}
