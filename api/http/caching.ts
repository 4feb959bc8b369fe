import type { Request, Response } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Route } from "./route.ts";

const personal = /^\/api\/v1\/(?:player|auth\/me|admin\/account)(?:\/|$)/;

/** Hides personal paths from search engines and shared caches, even for refusals and unknown paths. */
export function hidePersonalPaths({ path }: Request, response: Response): void {
  if (!personal.test(path)) return;
  response.set({ "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "private, no-store" });
}

/**
 * All deprecated routes were deprecated on 1 December 2025 (RFC 9745, in seconds) and are removed two years
 * later.
 */
const deprecatedSince = "@1764547200";
const sunset = "Wed, 01 Dec 2027 00:00:00 GMT";

/** Sets the headers of a deprecated route, also for refusals. */
export function setDeprecation(route: Route, request: Request, response: Response): void {
  if (!route.successor) return;
  const successor = route.successor.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(request.params[name])),
  );
  response.set("Deprecation", deprecatedSince);
  response.set("Sunset", sunset);
  response.set("Link", `<${successor}>; rel="successor-version"`);
}

/**
 * Sets the caching of public answers. They depend on the caller's access level, so shared caches may store only
 * the anonymous answer. Other answers are not cached; refusals set their own header.
 */
export function setCaching(route: Route, caller: Caller | null, response: Response): void {
  if (!route.path.startsWith("/api/v1/public/")) {
    if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", "no-store");
    return;
  }
  const shared = route.revalidate ? "public, no-cache" : "public, max-age=5";
  response.setHeader("Vary", "Origin, Cookie, Authorization");
  response.setHeader("Cache-Control", caller || route.neverCached ? "private, no-store" : shared);
}
