import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { audienceLadder } from "../../shared/platform/access/roles.ts";
import type { Audience } from "./audience.ts";
import { type StreamName, streamNames } from "./streams.ts";
import type { ByeReason } from "./subscriber.ts";

export interface StreamMetrics {
  countEnd(this: void, reason: ByeReason | "slow"): void;
  countReplayed(this: void, events: number): void;
  /** Counts stored events that were read for the streams, even without subscribers. */
  countRead(this: void, events: number): void;
  countSent(this: void, stream: StreamName, events: number): void;
  observeLag(this: void, ms: number): void;
}

export function createStreamMetrics(
  registry: Registry,
  audiences: () => Iterable<Audience>,
): StreamMetrics {
  showClients(registry, audiences);
  const dropped = new Counter({
    name: "guildhall_sse_dropped_total",
    help: "Event streams that the process ended, by reason.",
    labelNames: ["reason"],
    registers: [registry],
  });
  const replayed = new Counter({
    name: "guildhall_sse_replayed_total",
    help:
      "Stored events that the process sent to clients after they reconnected, because the " +
      "clients had missed them.",
    registers: [registry],
  });
  const read = new Counter({
    name: "guildhall_sse_events_read_total",
    help:
      "Stored events that the process read for its event streams, each counted once for all " +
      "clients.",
    registers: [registry],
  });
  const sent = new Counter({
    name: "guildhall_sse_events_sent_total",
    help: "Events that the process wrote to event streams, counted once for each client.",
    labelNames: ["stream"],
    registers: [registry],
  });
  for (const stream of streamNames) sent.inc({ stream }, 0);
  const lag = new Histogram({
    name: "guildhall_sse_notify_lag_seconds",
    help:
      "Time from the moment when an event was stored until the process read it for its event " +
      "streams.",
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  return {
    countEnd: (reason) => dropped.inc({ reason }),
    countReplayed: (events) => replayed.inc(events),
    countRead: (events) => read.inc(events),
    countSent: (stream, events) => sent.inc({ stream }, events),
    observeLag: (ms) => lag.observe(Math.max(0, ms) / 1000),
  };
}

function showClients(registry: Registry, audiences: () => Iterable<Audience>): void {
  const clients: Gauge = new Gauge({
    name: "guildhall_sse_clients",
    help:
      "Open event streams, by stream and by the rung of the client; streams that are still " +
      "sending missed events are not counted.",
    labelNames: ["stream", "rung"],
    registers: [registry],
    collect: () => {
      // Reset the gauges: a topic without clients has no audiences.
      for (const rung of audienceLadder) clients.set({ stream: "survival", rung }, 0);
      for (const { stream, rung } of audiences()) clients.set({ stream, rung }, 0);
      for (const { stream, rung, members } of audiences()) {
        clients.inc({ stream, rung }, members.size);
      }
    },
  });
}
