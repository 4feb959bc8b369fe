import { Counter, Gauge, Histogram, type Registry } from "prom-client";

import { readPoolUse } from "../platform/db/connection/connection.ts";
import type { ProcessKind } from "../platform/job-records/processes.ts";
import { version } from "../platform/process/version.ts";
import { breakerStates } from "../push/relay/breaker.ts";
import { pushAttemptOutcomes } from "../push/relay/push-counts.ts";
import { hookAttemptOutcomes } from "../webhooks/receiver/hook-outcome.ts";
import type { SiteContext } from "./site-context.ts";

export type ProcessMetricSources = Pick<
  SiteContext,
  "sequelize" | "mail" | "relays" | "hookServers"
>;

export function registerProcessMetrics(
  registry: Registry,
  kind: ProcessKind,
  context: ProcessMetricSources,
): void {
  const registers = [registry];
  new Gauge({
    name: "guildhall_build_info",
    help:
      "Always 1; the labels name the kind of process, the version of Guildhall and the version " +
      "of Node.",
    labelNames: ["process", "version", "node"],
    registers,
  }).set({ process: kind, version, node: process.version }, 1);
  observePool(registers, context);
  observeMails(registers, context);
  observePush(registers, context);
  observeWebhooks(registers, context);
  observeEventLoop(registers);
}

function observePool(registers: Registry[], { sequelize }: ProcessMetricSources): void {
  const connections: Gauge = new Gauge({
    name: "guildhall_database_pool_connections",
    help: "Connections in the pool of the process, by state: `in_use` or `idle`.",
    labelNames: ["state"],
    registers,
    collect: () => {
      const { inUse, idle } = readPoolUse(sequelize);
      connections.set({ state: "in_use" }, inUse);
      connections.set({ state: "idle" }, idle);
    },
  });
  const size: Gauge = new Gauge({
    name: "guildhall_database_pool_size",
    help: "Largest number of connections that the pool of the process may open.",
    registers,
    collect: () => size.set(readPoolUse(sequelize).max),
  });
  const waiting: Gauge = new Gauge({
    name: "guildhall_database_pool_waiting",
    help: "Statements that wait for a free connection in the pool of the process.",
    registers,
    collect: () => waiting.set(readPoolUse(sequelize).waiting),
  });
}

function observeMails(registers: Registry[], { mail }: ProcessMetricSources): void {
  showCount(registers, {
    name: "guildhall_mails_sent_total",
    help: "Mails of the process that the mail server accepted.",
    value: () => mail.counts.sent,
  });
  showCount(registers, {
    name: "guildhall_mails_failed_total",
    help: "Failed attempts of the process to send a mail; most mails are tried again.",
    value: () => mail.counts.failed,
  });
}

interface ShownCount {
  readonly name: string;
  readonly help: string;
  readonly value: () => number;
}

function showCount(registers: Registry[], { name, help, value }: ShownCount): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers,
    collect: () => {
      counter.reset();
      counter.inc(value());
    },
  });
}

/** No label names a relay, because there may be as many relays as devices. */
function observePush(registers: Registry[], { relays }: ProcessMetricSources): void {
  const { counts } = relays;
  showCount(registers, {
    name: "guildhall_push_sent_total",
    help: "Attempts of the process to send a push message, including test messages.",
    value: () => counts.sent,
  });
  const attempts: Counter<"outcome"> = new Counter({
    name: "guildhall_push_attempts_total",
    help:
      "The attempts of `guildhall_push_sent_total` by outcome: `delivered`, or the reason of the " +
      "failure.",
    labelNames: ["outcome"],
    registers,
    collect: () => {
      attempts.reset();
      for (const outcome of pushAttemptOutcomes) {
        attempts.inc({ outcome }, counts.attemptsOf(outcome));
      }
    },
  });
  showCount(registers, {
    name: "guildhall_push_retried_total",
    help: "Push messages that the process could not deliver and scheduled for another attempt.",
    value: () => counts.retried,
  });
  showCount(registers, {
    name: "guildhall_push_devices_removed_total",
    help:
      "Devices that the process removed because their push relay no longer knew their " +
      "subscription.",
    value: () => counts.removedDevices,
  });
  const known: Gauge<"state"> = new Gauge({
    name: "guildhall_push_relays",
    help:
      "Push relays to which the process has sent messages, by the state of the relay's circuit " +
      "breaker: `closed` (the process sends normally), `resting` (it sends nothing for a minute) " +
      "or `trying` (it sends one message at a time).",
    labelNames: ["state"],
    registers,
    collect: () => {
      const byState = relays.countByState();
      for (const state of breakerStates) known.set({ state }, byState[state]);
    },
  });
}

/** No label names a webhook: its log already shows staff the result of each message. */
function observeWebhooks(registers: Registry[], { hookServers }: ProcessMetricSources): void {
  const { counts } = hookServers;
  const attempts: Counter<"outcome"> = new Counter({
    name: "guildhall_webhook_attempts_total",
    help:
      "Attempts of the process to send a webhook message, including test messages, by outcome: " +
      "`delivered`, or the reason of the failure.",
    labelNames: ["outcome"],
    registers,
    collect: () => {
      attempts.reset();
      for (const outcome of hookAttemptOutcomes) {
        attempts.inc({ outcome }, counts.attemptsOf(outcome));
      }
    },
  });
  showCount(registers, {
    name: "guildhall_webhook_retried_total",
    help:
      "Webhook messages that the receiver did not accept and that the process scheduled for " +
      "another attempt.",
    value: () => counts.retried,
  });
  showCount(registers, {
    name: "guildhall_webhooks_switched_off_total",
    help:
      "Webhooks that the process disabled, because the receiver answered 410 or failed for five " +
      "days.",
    value: () => counts.switchedOff,
  });
  const known: Gauge<"state"> = new Gauge({
    name: "guildhall_webhook_servers",
    help:
      "Servers to which the process has sent webhook messages, by the state of the server's " +
      "circuit breaker: `closed` (the process sends normally), `resting` (it sends nothing for a " +
      "minute) or `trying` (it sends one message at a time).",
    labelNames: ["state"],
    registers,
    collect: () => {
      const byState = hookServers.countByState();
      for (const state of breakerStates) known.set({ state }, byState[state]);
    },
  });
}

const sampleMs = 500;

/** Observes the event loop with a histogram, so that each scraper sees a peak between two scrapes. */
function observeEventLoop(registers: Registry[]): void {
  const lag = new Histogram({
    name: "guildhall_event_loop_lag_seconds",
    help: "Delay of the event loop: how late a timer of the process fires, measured twice a second.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  });
  let due = performance.now() + sampleMs;
  setInterval(() => {
    const now = performance.now();
    lag.observe(Math.max(0, now - due) / 1000);
    due = now + sampleMs;
  }, sampleMs).unref();
}
