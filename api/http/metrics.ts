import { Counter, Histogram, type Registry } from "prom-client";

export interface RequestObservation {
  readonly status: number;
  readonly ms: number;
  /** True for an event stream, which lasts as long as its client listens. */
  readonly isStream: boolean;
  /** True if the request was refused because the site is closed to the caller. */
  readonly isShutOut: boolean;
  /** True if the request was a repeated read, which is answered from the cache without Express. */
  readonly isRepeated: boolean;
}

export interface RequestMetrics {
  observe(
    request: Readonly<Record<"method" | "route", string>>,
    observed: RequestObservation,
  ): void;
}

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const requests = new Counter({
    name: "guildhall_http_requests_total",
    help:
      "Requests by method, route pattern and HTTP status; the status is 499 if the client " +
      "disconnected before the answer.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "guildhall_http_request_duration_seconds",
    help:
      "Time from the moment when the headers of a request were received until the answer is sent " +
      "or the client disconnects; event streams are not measured.",
    labelNames: ["route", "status_class"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const shutOut = new Counter({
    name: "guildhall_http_requests_shut_out_total",
    help:
      "Requests that were refused because the site is in maintenance or closed; " +
      "`guildhall_http_requests_total` counts them too.",
    registers: [registry],
  });
  const repeated = new Counter({
    name: "guildhall_http_repeated_reads_total",
    help:
      "Anonymous reads whose URL was requested before and whose answer was still cached; " +
      "`guildhall_http_requests_total` counts them too.",
    registers: [registry],
  });
  return {
    observe({ method, route }, { status, ms, isStream, isShutOut, isRepeated }) {
      requests.inc({ method, route, status });
      if (isShutOut) shutOut.inc();
      if (isRepeated) repeated.inc();
      if (isStream) return;
      durations.observe({ route, status_class: `${Math.trunc(status / 100)}xx` }, ms / 1000);
    },
  };
}
