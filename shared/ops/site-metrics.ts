import { Counter, Gauge, type Registry } from "prom-client";

import { linkStates } from "../platform/bridge/socket/socket-options.ts";
import { isLongestRunningProcess, processKinds } from "../platform/job-records/processes.ts";
import type { QueueHealth } from "../platform/job-records/queue-health.ts";
import type { SiteContext } from "./site-context.ts";
import { readSiteMeasurements, type SiteMeasurements } from "./site-facts.ts";

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

interface Measure {
  readonly help: string;
  readonly labels?: readonly string[];
  readonly of: (facts: SiteMeasurements) => readonly Sample[];
}

const eachQueue =
  (valueOf: (queue: QueueHealth) => number) =>
  ({ report }: SiteMeasurements): readonly Sample[] =>
    report.queues.map((queue) => [{ queue: queue.name }, valueOf(queue)]);

const singleSample = (value: number): readonly Sample[] => [[{}, value]];

const statesOf = (queue: QueueHealth): Readonly<Record<string, number>> => ({
  waiting: queue.depth - queue.retrying,
  retrying: queue.retrying,
  active: queue.active,
  failed: queue.failed,
  cancelled: queue.cancelled,
});

/** CATALOGUE of the gauges of the whole site. */
export const gauges: Readonly<Record<string, Measure>> = {
  guildhall_queue_jobs: {
    help:
      "Jobs by queue and state; jobs with the state `retrying` failed and wait for another " +
      "attempt.",
    labels: ["queue", "state"],
    of: ({ report }) =>
      report.queues.flatMap((queue) =>
        Object.entries(statesOf(queue)).map(([state, jobs]): Sample => [
          { queue: queue.name, state },
          jobs,
        ]),
      ),
  },
  guildhall_queue_oldest_seconds: {
    help: "How long the oldest job of the queue has waited, of the jobs that could run now.",
    labels: ["queue"],
    of: eachQueue(({ oldestSeconds }) => oldestSeconds ?? 0),
  },
  guildhall_queue_workers: {
    help: "Running worker processes that take jobs from the queue.",
    labels: ["queue"],
    of: eachQueue(({ workers }) => workers),
  },
  guildhall_queue_paused: {
    help: "1 if an administrator has paused the queue, otherwise 0.",
    labels: ["queue"],
    of: eachQueue(({ paused }) => (paused ? 1 : 0)),
  },
  guildhall_processes: {
    help: "Running processes, by kind (`web`, `ingest` or `worker`).",
    labels: ["kind"],
    of: ({ report }) =>
      processKinds.map((kind) => [
        { kind },
        report.workers.filter((process) => process.kind === kind).length,
      ]),
  },
  guildhall_shard_link_enabled: {
    help: "1 if the link to the shard is enabled, otherwise 0.",
    of: ({ shard }) => singleSample(shard.enabled ? 1 : 0),
  },
  guildhall_shard_link_status: {
    help:
      "1 for the current status of the link to the shard, 0 for every other status; `error` " +
      "means that the sidecar refuses the token or the protocol version.",
    labels: ["status"],
    of: ({ shard }) => linkStates.map((status) => [{ status }, shard.status === status ? 1 : 0]),
  },
  guildhall_shard_last_event_timestamp_seconds: {
    help:
      "Time at which the last event of the shard was stored; the age of this event is `time()` " +
      "minus this value.",
    of: ({ shard }) => (shard.lastEventAt ? singleSample(shard.lastEventAt.getTime() / 1000) : []),
  },
  guildhall_shard_online_characters: {
    help: "Characters that are online on the shard.",
    of: ({ shard }) => singleSample(shard.onlineCount),
  },
  guildhall_plugin_inbox_events: {
    help: "Events that plugins have sent and that ingest has not stored yet.",
    of: ({ plugins }) => singleSample(plugins.waitingEvents),
  },
  guildhall_plugin_commands: {
    help:
      "Unanswered commands to plugins and consoles, by state: `waiting` (nobody has taken the " +
      "command yet) or `taken`.",
    labels: ["state"],
    of: ({ plugins }) => [
      [{ state: "waiting" }, plugins.waiting],
      [{ state: "taken" }, plugins.taken],
    ],
  },
  guildhall_plugins_connected: {
    help: "Game servers whose plugin or console is connected to the site.",
    of: ({ plugins }) => singleSample(plugins.connected),
  },
  guildhall_import_last_success_timestamp_seconds: {
    help: "Time at which an import of this kind last succeeded, with the result imported or unchanged.",
    labels: ["kind"],
    of: ({ imports }) => imports.map(({ kind, at }) => [{ kind }, at]),
  },
  guildhall_imports_awaiting_review: {
    help: "Imports that wait for the approval of an administrator.",
    of: ({ report }) => singleSample(report.reviews.length),
  },
  guildhall_banned_addresses: {
    help: "IP addresses and networks that are currently banned.",
    of: ({ bans }) => singleSample(bans),
  },
  guildhall_event_log_parts_ahead: {
    help:
      "Empty partitions of the event log that are ready for new events; `shard.prune-events` " +
      "creates them.",
    of: ({ eventLog }) => singleSample(eventLog.ahead),
  },
  guildhall_event_log_parts_unnoted: {
    help:
      "Full partitions of the event log whose event keys `shard.prune-events` has not stored " +
      "separately yet.",
    of: ({ eventLog }) => singleSample(eventLog.unnoted),
  },
  guildhall_webhooks: {
    help:
      "Webhooks by state: `well`, `failing` (the last completed delivery did not arrive) or " +
      "`off` (disabled).",
    labels: ["state"],
    of: ({ webhooks }) =>
      Object.entries(webhooks.hooks).map(([state, count]): Sample => [{ state }, count]),
  },
  guildhall_webhook_deliveries: {
    help:
      "Unfinished deliveries to webhooks, by state: `waiting` (to be sent now or later) or " +
      "`trying` (being sent).",
    labels: ["state"],
    of: ({ webhooks }) =>
      Object.entries(webhooks.deliveries).map(([state, count]): Sample => [{ state }, count]),
  },
  guildhall_webhook_oldest_seconds: {
    help: "How long the oldest webhook delivery has waited, of the deliveries that could be sent now.",
    of: ({ webhooks }) => singleSample(webhooks.oldestSeconds),
  },
};

/** CATALOGUE of counters in the database. They survive the end of a process. */
export const counters: Readonly<Record<string, Measure>> = {
  guildhall_ingest_received_total: {
    help: "Events received from the shard, including duplicates and rejected ones.",
    of: ({ ingest }) => singleSample(ingest.received),
  },
  guildhall_ingest_stored_total: {
    help: "Events of the shard that were stored.",
    of: ({ ingest }) => singleSample(ingest.stored),
  },
  guildhall_ingest_duplicates_total: {
    help: "Frames of the shard that repeated an earlier frame, so that ingest dropped them.",
    of: ({ ingest }) => singleSample(ingest.duplicates),
  },
  guildhall_ingest_rejected_total: {
    help: "Frames of the shard that ingest rejected because they break a rule.",
    of: ({ ingest }) => singleSample(ingest.rejected),
  },
  guildhall_ingest_gaps_total: {
    help: "Gaps in the stream of the shard: ranges of events that the sidecar no longer had.",
    of: ({ ingest }) => singleSample(ingest.gaps),
  },
  guildhall_ingest_rows_left_out_total: {
    help:
      "Rows of survival servers that were not stored, because a value was invalid or a bound was " +
      "reached.",
    of: ({ allSources }) => singleSample(allSources.rowsLeftOut),
  },
  guildhall_ingest_unknown_links_total: {
    help: "Links of game accounts, reported by the shard, to users who do not exist on the site.",
    of: ({ ingest }) => singleSample(ingest.unknownLinks),
  },
};

/**
 * Exports the site's metrics, only in the longest-running process: otherwise a sum over processes repeats them.
 */
export function registerSiteMetrics(
  registry: Registry,
  processId: string,
  context: SiteContext,
): void {
  let looking: Promise<SiteMeasurements | null> | undefined;
  // All metrics are collected at the same time and share one read of the database.
  const look = () =>
    (looking ??= readOwnSiteFacts(processId, context).finally(() => (looking = undefined)));
  for (const [name, { help, labels = [], of }] of Object.entries(gauges)) {
    const collect = async (): Promise<void> => {
      const facts = await look();
      gauge.reset();
      if (!facts) gauge.remove({});
      else for (const [given, value] of of(facts)) gauge.set(given, value);
    };
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect,
    });
  }
  for (const [name, { help, of }] of Object.entries(counters)) {
    const collect = async (): Promise<void> => {
      const facts = await look();
      counter.reset();
      if (!facts) counter.remove({});
      else for (const [given, value] of of(facts)) counter.inc(given, value);
    };
    const counter = new Counter({ name, help, registers: [registry], collect });
  }
}

/** Returns null if another process reports or the database is unavailable. */
async function readOwnSiteFacts(
  processId: string,
  context: SiteContext,
): Promise<SiteMeasurements | null> {
  try {
    return (await isLongestRunningProcess(processId, context.models))
      ? await readSiteMeasurements(context)
      : null;
  } catch {
    return null;
  }
}
