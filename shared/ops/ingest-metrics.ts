import { Gauge, type Registry } from "prom-client";

import type { SourceSupervisor } from "../platform/ingest/source-supervisor.ts";

/** Adds gauges of the current state of ingest. The counters of ingest are in the database (`site-metrics.ts`). */
export function registerIngestMetrics(
  registry: Registry,
  supervisor: Pick<SourceSupervisor, "counts">,
): void {
  const labelNames = ["source"] as const;
  const registers = [registry];
  const owner: Gauge<"source"> = new Gauge({
    name: "guildhall_ingest_owner",
    help: "1 if the process is the owner of the game server `source`, 0 if it is a standby.",
    labelNames,
    registers,
    collect: () => show(owner, supervisor, (counts) => (counts ? 1 : 0)),
  });
  const waiting: Gauge<"source"> = new Gauge({
    name: "guildhall_ingest_waiting",
    help: "Frames of the game server `source` that wait in the process to be stored.",
    labelNames,
    registers,
    collect: () => show(waiting, supervisor, (counts) => counts?.waiting ?? 0),
  });
}

type Counts = ReturnType<SourceSupervisor["counts"]["get"]>;

/** Sets one value per source and removes the values of deleted sources. */
function show(
  gauge: Gauge<"source">,
  { counts }: Pick<SourceSupervisor, "counts">,
  valueOf: (counts: Counts) => number,
): void {
  gauge.reset();
  for (const [source, held] of counts) gauge.set({ source }, valueOf(held));
}
