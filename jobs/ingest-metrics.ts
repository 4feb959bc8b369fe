import { Gauge, type Registry } from "prom-client";

import type { IngestCounts } from "../shared/shard/ingest/shard-ingest.ts";

const measures = {
  received: "Events and refused frames the socket took in since this process took over the source.",
  duplicates: "Frames that repeated what had come before.",
  rejected: "Frames that were refused.",
  gaps: "Ranges the sidecar no longer held.",
  waiting: "Frames that wait to be stored.",
} as const;

/** Shows what ingest counts; nothing while the process stands by. */
export function observeIngest(registry: Registry, stats: () => IngestCounts | null): void {
  const show = (name: string, help: string, value: () => number): void => {
    const gauge: Gauge = new Gauge({
      name: `ingest_${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(value()),
    });
  };
  for (const [name, help] of Object.entries(measures)) {
    show(name, help, () => stats()?.[name as keyof typeof measures] ?? 0);
  }
  show(
    "unknown_links",
    "Links to users who are none of ours, since the shard was first linked.",
    () => stats()?.unknownLinks ?? 0,
  );
  show("owner", "1 while this process owns the source, 0 while it stands by.", () =>
    stats() ? 1 : 0,
  );
}
