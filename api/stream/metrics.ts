import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import type { Audience } from "./audience.ts";
import type { ByeReason } from "./subscriber.ts";

export interface StreamMetrics {
  countEnd(this: void, reason: ByeReason | "slow"): void;
  countReplayed(this: void, events: number): void;
  observeLag(this: void, ms: number): void;
}

export function createStreamMetrics(
  registry: Registry,
  audiences: readonly Audience[],
): StreamMetrics {
  const clients: Gauge = new Gauge({
    name: "sse_clients",
    help: "Open event streams that are up to date.",
    labelNames: ["stream", "rung"],
    registers: [registry],
    collect: () => {
      for (const { stream, rung, members } of audiences) {
        clients.set({ stream, rung }, members.size);
      }
    },
  });
  const dropped = new Counter({
    name: "sse_dropped_total",
    help: "Event streams ended by this side.",
    labelNames: ["reason"],
    registers: [registry],
  });
  const replayed = new Counter({
    name: "sse_replayed_total",
    help: "Events sent again to clients that came back.",
    registers: [registry],
  });
  const lag = new Histogram({
    name: "sse_notify_lag_seconds",
    help: "From an event's being stored to its being read for the streams.",
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    countEnd: (reason) => dropped.inc({ reason }),
    countReplayed: (events) => replayed.inc(events),
    observeLag: (ms) => lag.observe(Math.max(0, ms) / 1000),
  };
}
