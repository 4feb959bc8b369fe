import { Registry } from "prom-client";

import { registerIngestMetrics } from "../../shared/ops/ingest-metrics.ts";
import { createJobMetrics } from "../../shared/ops/job-metrics.ts";
import { registerProcessMetrics } from "../../shared/ops/process-metrics.ts";
import { counters, gauges } from "../../shared/ops/site-metrics.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { createMail } from "../../shared/platform/net/mail.ts";
import { RelayRegistry } from "../../shared/push/relay/relay.ts";
import { HookServers } from "../../shared/webhooks/receiver/hook-server.ts";
import { createRequestMetrics } from "../http/metrics.ts";
import { createStreamMetrics } from "../stream/metrics.ts";
import { formatPhrase, formatCode, formatCodes, markdownTable } from "./table.ts";

type Row = readonly string[];

/** Lists the metrics of a registry without measuring anything. */
async function rowsOf(register: (registry: Registry) => void): Promise<readonly Row[]> {
  const registry = new Registry();
  register(registry);
  const labels = new Map(
    registry.getMetricsAsArray().map((metric) => [metric.name, labelsOf(metric)]),
  );
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map(({ name, help, type }) => [
    formatCode(name),
    String(type),
    formatCodes(labels.get(name) ?? []),
    formatPhrase(help),
  ]);
}

/** Returns the label names of a metric, which the types of prom-client omit. */
const labelsOf = (metric: object): readonly string[] =>
  "labelNames" in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];

/** Lists the metrics of a process. It opens no connection: the metrics come from counters in memory. */
async function processRows(): Promise<readonly Row[]> {
  const config = loadConfig({ DATABASE_URL: "postgres://none" });
  const sequelize = createConnectionPool(config, "documents");
  const relays = new RelayRegistry(config);
  const hookServers = new HookServers(config);
  const parts = { sequelize, relays, hookServers, mail: createMail(config) };
  return rowsOf((registry) => registerProcessMetrics(registry, "web", parts));
}

const siteRows: readonly Row[] = [
  ...Object.entries(gauges).map(([name, measure]) => [name, "gauge", measure] as const),
  ...Object.entries(counters).map(([name, measure]) => [name, "counter", measure] as const),
].map(([name, type, { help, labels = [] }]) => [
  formatCode(name),
  type,
  formatCodes(labels),
  formatPhrase(help),
]);

/** Returns the text of `docs/operate/metrics.md`. */
export async function metricsPage(): Promise<string> {
  const head = ["Metric", "Type", "Labels", "Meaning"];
  const tables = {
    "Every process": await processRows(),
    "Web processes": await rowsOf((registry) => {
      createRequestMetrics(registry);
      createStreamMetrics(registry, () => []);
    }),
    "Ingest processes": await rowsOf((registry) =>
      registerIngestMetrics(registry, { counts: new Map() }),
    ),
    Workers: await rowsOf((registry) => createJobMetrics(registry, [])),
    "The whole site": siteRows,
  };
  const sections = Object.entries(tables).map(
    ([title, rows]) => `## ${title}\n\n${markdownTable(head, rows)}`,
  );
  return `# Metrics

For people who monitor the processes. This page lists every metric of Guildhall.

Each process serves its metrics in the Prometheus format at \`/internal/metrics\` on its internal port
(\`INTERNAL_PORT\`), together with the standard metrics of Node. [Monitoring](monitoring.md) describes
which metrics need an alert.

The metrics of the section "The whole site" describe the database and not one process. Only the process
that has run longest reports them, because otherwise a sum over all processes would count them several
times. The counters of all other sections start at zero when the process starts. Durations are in seconds.

${sections.join("\n\n")}
`;
}
