import type { RequestHandler } from "express";

import type { Logger } from "../../shared/log.ts";
import type { RequestMetrics } from "./metrics.ts";
import type { Route } from "./route.ts";
import { streamMediaType } from "./sse.ts";

/** What is noted of a request whose client left before anything was answered. */
const clientLeft = 499;

/** One line a request, and its place in the metrics: by the route's pattern, never by the URL. */
export function accessLog(log: Logger, metrics: RequestMetrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      const route = response.locals["route"] as Route | undefined;
      const { method } = request;
      const status = response.headersSent ? response.statusCode : clientLeft;
      const pattern = route?.path ?? "unknown";
      metrics.observe({ method, route: pattern, status, ms, isStream: isStream(route) });
      const requestId: unknown = response.locals["requestId"];
      log.debug({ requestId, method, route: pattern, status, ms }, "request");
    });
    next();
  };
}

const isStream = (route: Route | undefined): boolean => {
  const shape = route?.answers[200];
  return typeof shape === "object" && "mediaType" in shape && shape.mediaType === streamMediaType;
};
