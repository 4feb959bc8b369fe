import type { RequestHandler, Router } from "express";

import { AppError, unknownPathError } from "../../shared/platform/errors/errors.ts";
import type { Route } from "./route.ts";

/**
 * Answers CORS preflights of allowed origins on every route. Any other `OPTIONS` request is refused as a wrong
 * method.
 */
export function answerPreflights(router: Router, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    router.options(path, (request, response, next) => {
      const isAllowed = response.hasHeader("Access-Control-Allow-Origin");
      if (isAllowed && request.headers["access-control-request-method"] !== undefined) {
        response.status(204).end();
        return;
      }
      // Refuse here: Express would reveal the allowed methods of routes that the caller may not call.
      if (!isOpen(path)) throw unknownPathError();
      next();
    });
  }
}

/** Answers wrong methods with 405 under `/public`. Elsewhere it answers 404, to reveal no route. */
export function refuseOtherMethods(router: Router, routes: readonly Route[]): void {
  const open = routes.filter((route) => isOpen(route.path));
  for (const [path, group] of Map.groupBy(open, (route) => route.path)) {
    router.all(path, methodNotAllowed(group.map((route) => route.method.toUpperCase())));
  }
}

const isOpen = (path: string): boolean => path.startsWith("/api/v1/public/");

function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = (methods.includes("GET") ? [...methods, "HEAD"] : methods).join(", ");
  return (_request, response) => {
    response.set("Allow", allow);
    throw new AppError("method_not_allowed", "Method not allowed");
  };
}
