import type { Request, Response } from "express";

import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Route } from "./route.ts";

const personal = /^\/api\/v1\/(?:player|auth\/me|admin\/account)(?:\/|$)/;

/**
 * What is somebody's own is for no search engine and no shared cache, whatever becomes of the
 * request: refused, limited, or for a path that does not exist.
 */
export function hidePersonal({ path }: Request, response: Response): void {
  if (!personal.test(path)) return;
  response.set({ "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "private, no-store" });
}

/** The contract names no dates. Ours: 1 December 2025, in the seconds of RFC 9745, and two years on. */
const deprecatedSince = "@1764547200";
const sunset = "Wed, 01 Dec 2027 00:00:00 GMT";

/** Headers that every answer of a replaced route carries, its refusals too. */
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
 * Public answers differ by rung: shared caches may keep the anonymous one alone. No cache keeps
 * any other answer; refusals say so for themselves.
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
