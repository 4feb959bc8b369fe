import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import cors from "cors";
import type { RequestHandler } from "express";
import helmet from "helmet";

import { allowedOrigins, type Config } from "../../shared/config/config.ts";

/**
 * A JSON API loads nothing and is framed by nobody; pages that do say so for themselves. The
 * headers are the same on every answer, so they are made once; what says something of documents
 * alone is left to the pages, for each header costs every answer.
 */
export function securityHeaders(config: Config): RequestHandler {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    strictTransportSecurity: config.PUBLIC_BASE_URL.startsWith("https:"),
    crossOriginResourcePolicy: { policy: "same-origin" },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  setHeaders(sample.req, sample, rethrow);
  const headers = Object.entries(sample.getHeaders()) as [string, string][];
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function rethrow(error?: unknown): void {
  if (error) throw error;
}

/** The two pages served here (API description, queue health) load their own files, and stand alone. */
export const pageHeaders = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
} as const;

/**
 * Cookies make answers differ by caller, so no origin but the configured ones may read them.
 * Answers to requests without an `Origin` carry only `Vary: Origin`, for caches.
 */
export function crossOrigin(config: Config): RequestHandler {
  const allow = cors({
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
  return (request, response, next) => {
    const isAsked = request.headers.origin !== undefined || request.method === "OPTIONS";
    if (isAsked) return allow(request, response, next);
    response.setHeader("Vary", "Origin");
    return next();
  };
}
