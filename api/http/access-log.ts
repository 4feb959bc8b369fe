import type { RequestHandler, Response } from "express";

import type { Logger } from "../../shared/log.ts";
import type { RequestMetrics } from "./metrics.ts";
import type { Route } from "./route.ts";

/** One line a request, and its place in the metrics: by the route's pattern, never by the URL. */
export function accessLog(log: Logger, metrics: RequestMetrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      const route = patternOf(response);
      metrics.observe({ method: request.method, route, status: response.statusCode, ms });
      const facts = {
        requestId: response.locals["requestId"],
        method: request.method,
        route,
        status: response.statusCode,
        ms,
      };
      log.debug(facts, "request");
    });
    next();
  };
}

const patternOf = (response: Response): string =>
  (response.locals["route"] as Route | undefined)?.path ?? "unknown";
