import type { Logger } from "../../shared/platform/log.ts";
import { streamMediaType } from "../stream/sse.ts";
import type { RequestMetrics } from "./metrics.ts";
import type { RequestMiddleware } from "./on-arrival.ts";
import { readRequestLogFields, routeOf } from "./request-facts.ts";
import type { Route } from "./route.ts";
import { isSiteClosedCode } from "./site-gate.ts";

/** The logged status of a request whose client disconnected before the answer. */
const clientLeft = 499;

/** Logs and counts each request by its route's pattern, never by the URL. */
export function accessLog(log: Logger, metrics: RequestMetrics): RequestMiddleware {
  return (request, response) => {
    const startedAt = performance.now();
    response.on("close", () => {
      const ms = Math.round(performance.now() - startedAt);
      const facts = readRequestLogFields(request, response);
      const status = response.headersSent ? response.statusCode : clientLeft;
      metrics.observe(facts, {
        status,
        ms,
        isStream: isStream(routeOf(response)),
        isShutOut: isSiteClosedCode(response.get("X-Error-Code")),
        isRepeated: false,
      });
      if (log.isLevelEnabled("debug")) log.debug({ ...facts, status, ms }, "request");
    });
  };
}

const isStream = (route: Route | undefined): boolean => {
  if (route?.waits) return true;
  const shape = route?.answers[200];
  return typeof shape === "object" && "mediaType" in shape && shape.mediaType === streamMediaType;
};
