import type { RequestHandler, Router } from "express";

import type { Route } from "./route.ts";

/**
 * Under `/public` a wrong method is told apart (405 with `Allow`); elsewhere it is 404 like any
 * unknown path, so that nothing is learnt about gated routes.
 */
export function refuseOtherMethods(router: Router, routes: readonly Route[]): void {
  const open = routes.filter((route) => route.path.startsWith("/api/v1/public/"));
  for (const [path, group] of Map.groupBy(open, (route) => route.path)) {
    router.all(path, methodNotAllowed(group.map((route) => route.method.toUpperCase())));
  }
}

function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = (methods.includes("GET") ? [...methods, "HEAD"] : methods).join(", ");
  return (_request, response) => {
    response.set("Allow", allow);
    throw Object.assign(new Error("method not allowed"), { type: "method.not.allowed" });
  };
}
