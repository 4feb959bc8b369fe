import { Gauge, type Registry } from "prom-client";

import type { SocketStats } from "../shared/bridge/socket.ts";

const measures = {
  received: "Events and refused frames the socket took in since the process started.",
  duplicates: "Frames that repeated what had come before.",
  rejected: "Frames that were refused.",
  gaps: "Ranges the sidecar no longer held.",
  waiting: "Frames that wait to be stored.",
} as const;

/** Shows what the socket counts; nothing while the process stands by. */
export function observeIngest(registry: Registry, stats: () => SocketStats | null): void {
  for (const [name, help] of Object.entries(measures)) {
    const gauge: Gauge = new Gauge({
      name: `ingest_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(stats()?.[name as keyof typeof measures] ?? 0),
    });
  }
  const owns: Gauge = new Gauge({
    name: "ingest_owner",
    help: "1 while this process owns the source, 0 while it stands by.",
    registers: [registry],
    collect: () => owns.set(stats() ? 1 : 0),
  });
}
