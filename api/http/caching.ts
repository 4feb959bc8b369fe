import type { RequestHandler, Response } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import type { Route } from "./route.ts";

const personal = /^\/api\/v1\/(?:player|auth\/me|admin\/account)(?:\/|$)/;

/**
 * What is somebody's own is for no search engine and no shared cache, whatever becomes of the
 * request: refused, limited, or for a path that does not exist.
 */
export function hidePersonal(): RequestHandler {
  return (request, response, next) => {
    if (personal.test(request.path)) {
      response.set({ "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "private, no-store" });
    }
    next();
  };
}

/** Headers that every answer of a route carries, its refusals too. */
export function setRouteHeaders(route: Route, response: Response): void {
  if (!response.hasHeader("Cache-Control")) response.set("Cache-Control", "no-store");
  if (route.successor) {
    response.set("Deprecation", "@1764547200");
    response.set("Sunset", "Wed, 01 Dec 2027 00:00:00 GMT");
    response.set("Link", `<${route.successor}>; rel="successor-version"`);
  }
}

/** Public answers differ by rung: shared caches may keep the anonymous one alone. */
export function setCaching(route: Route, caller: Caller | null, response: Response): void {
  if (!route.path.startsWith("/api/v1/public/")) return;
  response.vary("Cookie, Authorization");
  response.set("Cache-Control", caller ? "private, no-store" : "public, max-age=5");
}
