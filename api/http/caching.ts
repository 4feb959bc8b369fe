import type { Response } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import type { Route } from "./route.ts";

const hiddenFromSearch = ["/api/v1/player/", "/api/v1/auth/me", "/api/v1/admin/account"];

/** Headers that every answer of a route carries, its refusals too. */
export function setRouteHeaders(route: Route, response: Response): void {
  response.set("Cache-Control", "no-store");
  if (hiddenFromSearch.some((prefix) => route.path.startsWith(prefix))) {
    response.set("X-Robots-Tag", "noindex, nofollow");
    response.set("Cache-Control", "private, no-store");
  }
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
