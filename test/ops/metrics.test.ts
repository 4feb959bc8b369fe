import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

import { parser } from "@prometheus-io/lezer-promql";
import { Counter, Registry } from "prom-client";
import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { registerSiteMetrics } from "../../shared/ops/site-metrics.ts";
import { startHeartbeat, type ProcessKind } from "../../shared/platform/job-records/processes.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { changeIngestSource } from "../support/factories/shard.ts";
import { buildReputation } from "../support/factories/users.ts";
import { buildWebhook, buildWebhookDelivery } from "../support/factories/webhooks.ts";
import { MailTrap } from "../support/network/mail-trap.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses metrics in the text format of Prometheus. */
const samplesIn = (text: string): Sample[] =>
  [...text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = "", labels, value]) => ({
    name,
    labels: Object.fromEntries(
      [...(labels ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", of = ""]) => [key, of]),
    ),
    value: Number(value),
  }));

const queue = "ops.prune-processes";

describe("the site metrics", () => {
  let registry: Registry;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    registry = new Registry();
    const row = await startHeartbeat(server.context, "worker", ["imports"]);
    registerSiteMetrics(registry, row.id, server.context);
    stop = () => row.stop();
  });
  afterAll(() => stop());

  const read = async (name: string, wanted: Readonly<Record<string, string>> = {}) =>
    samplesIn(await registry.metrics())
      .filter((sample) => sample.name === name)
      .filter(({ labels }) => Object.entries(wanted).every(([key, of]) => labels[key] === of));
  const valueOf = async (name: string, wanted?: Readonly<Record<string, string>>) =>
    (await read(name, wanted)).map(({ value }) => value);

  it("count every queue of the catalog by state, including empty ones", async () => {
    const enqueue = async () =>
      (await server.context.queue.enqueue(queue, {}, { key: randomUUID() })) ?? "";
    await changeJob(server, await enqueue(), { startsIn: -90 });
    await changeJob(server, await enqueue(), { state: "retry", startsIn: 60 });
    for (const state of ["active", "failed", "cancelled", "completed"] as const) {
      await changeJob(server, await enqueue(), { state });
    }
    const counted = await read("guildhall_queue_jobs", { queue });
    expect(
      Object.fromEntries(counted.map(({ labels, value }) => [labels["state"], value])),
    ).toEqual({ waiting: 1, retrying: 1, active: 1, failed: 1, cancelled: 1 });
    expect((await valueOf("guildhall_queue_oldest_seconds", { queue }))[0]).toBeGreaterThanOrEqual(
      90,
    );
    const named = (await read("guildhall_queue_workers")).map(({ labels }) => labels["queue"]);
    expect(new Set(named)).toEqual(new Set(Object.keys(queues)));
    expect(await valueOf("guildhall_queue_workers", { queue: "imports.atlas" })).toEqual([1]);
    await forgetJobs(server, "%");
  });

  it("report paused queues, the last successful import, banned addresses and the link status", async () => {
    await server.context.models.PausedQueue.create({ queue, pausedBy: null });
    for (const [at, status] of ["imported", "unchanged", "failed"].entries()) {
      const finishedAt = new Date((at + 1) * 1_000_000);
      await buildImportRun(server, { result: { status }, finishedAt });
    }
    await buildReputation(server, {
      addressKey: "203.0.113.7",
      bannedUntil: clockNowPlus(3_600_000),
    });
    await buildReputation(server, {
      addressKey: "203.0.113.8",
      bannedUntil: clockNowPlus(-3_600_000),
    });
    expect(await valueOf("guildhall_queue_paused", { queue })).toEqual([1]);
    expect(await valueOf("guildhall_queue_paused", { queue: "imports.atlas" })).toEqual([0]);
    const success = await read("guildhall_import_last_success_timestamp_seconds");
    expect(success).toMatchObject([{ labels: { kind: "atlas" }, value: 2000 }]);
    expect(await valueOf("guildhall_banned_addresses")).toEqual([1]);
    const status = await read("guildhall_shard_link_status");
    expect(
      Object.fromEntries(status.map(({ labels, value }) => [labels["status"], value])),
    ).toEqual({ connected: 0, reconnecting: 0, disconnected: 1, error: 0 });
    await server.context.models.PausedQueue.truncate();
    await server.context.models.ImportRun.truncate();
  });

  it("report webhooks by state, and how long the oldest delivery that can be sent has waited", async () => {
    const well = await buildWebhook(server);
    const failing = await buildWebhook(server, {
      failingSince: clockNow(),
      heldUntil: clockNowPlus(60_000),
    });
    const off = await buildWebhook(server, { enabled: false });
    for (const [hook, state, waitedSeconds] of [
      [well, "waiting", 90],
      [well, "waiting", -3_600],
      [well, "trying", -20],
      [well, "delivered", 86_400],
      [failing, "waiting", 3_600],
      [off, "waiting", 7_200],
    ] as const) {
      const nextAt = clockNowPlus(-1_000 * waitedSeconds);
      await buildWebhookDelivery(server, { webhookId: hook.id, state, nextAt });
    }
    const byState = async (name: string) =>
      Object.fromEntries((await read(name)).map(({ labels, value }) => [labels["state"], value]));
    expect(await byState("guildhall_webhooks")).toEqual({ well: 1, failing: 1, off: 1 });
    expect(await byState("guildhall_webhook_deliveries")).toEqual({ waiting: 4, trying: 1 });
    const [oldest = 0] = await valueOf("guildhall_webhook_oldest_seconds");
    expect(oldest).toBeGreaterThanOrEqual(90);
    expect(oldest).toBeLessThan(3_600);
    await server.context.models.Webhook.destroy({ where: {} });
    expect(await valueOf("guildhall_webhook_oldest_seconds")).toEqual([0]);
  });

  it("are exported by the longest-running process only, and by the next process after it ended", async () => {
    const later = new Registry();
    const row = await startHeartbeat(server.context, "web");
    registerSiteMetrics(later, row.id, server.context);
    const shows = async (one: Registry) =>
      samplesIn(await one.metrics()).filter(({ name }) => name === "guildhall_processes").length;
    expect([await shows(registry), await shows(later)]).toEqual([3, 0]);
    const { ServiceProcess } = server.context.models;
    const { id } = row;
    await ServiceProcess.update({ startedAt: clockNow() }, { where: { id: { [Op.ne]: id } } });
    await ServiceProcess.update({ startedAt: clockNowPlus(-3_600_000) }, { where: { id } });
    expect([await shows(registry), await shows(later)]).toEqual([0, 3]);
    await row.stop();
    expect([await shows(registry), await shows(later)]).toEqual([3, 0]);
  });

  it("are omitted while the database cannot be read, while other metrics remain", async () => {
    const other = await startTestServer();
    const own = new Registry();
    new Counter({ name: "tests_total", help: "Tests.", registers: [own] }).inc();
    const row = await startHeartbeat(other.context, "web");
    registerSiteMetrics(own, row.id, other.context);
    expect(await own.metrics()).toContain('guildhall_processes{kind="web"} 1');
    await row.stop();
    await other.stop();
    expect(samplesIn(await own.metrics())).toEqual([{ name: "tests_total", labels: {}, value: 1 }]);
  });
});

const folder = path.join(projectFolder, "shared/ops/monitoring");
const readFile = (name: string): string => readFileSync(path.join(folder, name), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
const rules = (parse(readFile("alerts.yml")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(readFile("grafana-dashboard.json")) as { panels: Panel[] };

/** All queries of the alerts and the dashboard, each with the name of its alert or panel. */
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
].map(([at, expr]) => [at, expr.replaceAll("$__rate_interval", "1m")] as const);

interface Used {
  readonly name: string;
  readonly labels: readonly string[];
}

/**
 * Returns the names of metrics and labels in a PromQL expression.
 * @throws if the expression is invalid
 */
function metricsIn(promQl: string): Used[] {
  const used: { name: string; labels: string[] }[] = [];
  parser.parse(promQl).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`${promQl.slice(0, to)} … is no PromQL`);
      const text = promQl.slice(from, to);
      if (type.name === "VectorSelector") used.push({ name: text.split("{")[0] ?? "", labels: [] });
      // Prometheus adds the label `instance` itself.
      if (type.name === "LabelName" && text !== "instance") used.at(-1)?.labels.push(text);
    },
  });
  return used;
}

const processes: readonly (readonly [ProcessKind, string])[] = [
  ["web", "api/server.ts"],
  ["ingest", "jobs/ingest.ts"],
  ["worker", "jobs/worker.ts"],
];

describe("the metrics of the processes", () => {
  const started: ChildProgram[] = [];
  const texts = new Map<ProcessKind, string>();
  let trap: MailTrap;
  const all = (): Sample[] => [...texts.values()].flatMap(samplesIn);

  beforeAll(async () => {
    trap = await MailTrap.start();
    const ports = new Map<ProcessKind, number>();
    const publicPort = await takeFreePort();
    for (const [name, file] of processes) {
      const port = await takeFreePort();
      ports.set(name, port);
      const environment = {
        ...testEnvironment(server.database.url),
        HOST: "127.0.0.1",
        PORT: String(publicPort),
        INTERNAL_PORT: String(port),
        SMTP_URL: trap.url,
        MAIL_FROM: "Guildhall <no-reply@example.org>",
      };
      const readyAt = `http://127.0.0.1:${port}/internal/health?probe=ready`;
      const program = new ChildProgram({ name, file, readyAt, environment });
      await program.start();
      started.push(program);
    }
    await buildImportRun(server, { result: { status: "imported" }, finishedAt: clockNow() });
    await fetch(`http://127.0.0.1:${publicPort}/api/v1/public/status`);
    await changeIngestSource(server, { lastEventAt: clockNow() });
    const { userId } = await createTestUser(server, { email: "someone@example.org" });
    await server.context.queue.enqueue("auth.send-mail", { letter: "passwordChanged", userId });
    const scrape = async () => {
      for (const [name, port] of ports) {
        const answer = await fetch(`http://127.0.0.1:${port}/internal/metrics`);
        texts.set(name, await answer.text());
      }
      return all().some(({ name, value }) => name === "guildhall_mails_sent_total" && value === 1);
    };
    await waitUntil("the mail is counted", scrape);
  });
  afterAll(async () => {
    for (const program of started) await program.stop();
    await trap.stop();
  });

  it("share one prefix, except those of Node's library", () => {
    const others = new Set(
      all()
        .map(({ name }) => name)
        .filter((name) => !/^(guildhall|process|nodejs)_/.test(name)),
    );
    expect([...others]).toEqual([]);
  });

  it("end in _total exactly if they are counters", () => {
    const types = [...texts.values()].flatMap((text) => [
      ...text.matchAll(/^# TYPE (guildhall_\w+) (\w+)$/gm),
    ]);
    expect(types.length).toBeGreaterThan(30);
    for (const [, name = "", type] of types) {
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    }
  });

  it("include the site metrics in one process only", () => {
    const showing = [...texts].filter(([, text]) => text.includes("guildhall_queue_jobs{"));
    expect(showing).toHaveLength(1);
    const counted = all().filter(({ name }) => name === "guildhall_processes");
    expect(counted.map(({ labels, value }) => [labels["kind"], value])).toEqual([
      ["web", 1],
      ["ingest", 1],
      ["worker", 1],
    ]);
  });

  it("describe the build, the pool, the event loop, mails and jobs", () => {
    const infos = all().filter(({ name }) => name === "guildhall_build_info");
    expect(infos.map(({ labels }) => labels["process"])).toEqual(["web", "ingest", "worker"]);
    const worker = samplesIn(texts.get("worker") ?? "");
    const find = (wanted: string, label: Readonly<Record<string, string>> = {}) =>
      worker.find(
        ({ name, labels }) =>
          name === wanted && Object.entries(label).every(([key, of]) => labels[key] === of),
      )?.value;
    expect(find("guildhall_database_pool_size")).toBe(5);
    expect(find("guildhall_database_pool_waiting")).toBe(0);
    expect(find("guildhall_mails_failed_total")).toBe(0);
    expect(find("guildhall_event_loop_lag_seconds_count")).toBeGreaterThanOrEqual(0);
    const mail = { queue: "auth.send-mail", outcome: "completed" };
    expect(find("guildhall_job_attempts_total", mail)).toBe(1);
    expect(find("guildhall_job_attempts_total", { ...mail, outcome: "failed" })).toBe(0);
  });

  it.each(queries)("include every metric and label that %s queries: %s", (_at, promQl) => {
    const used = metricsIn(promQl);
    expect(used.length).toBeGreaterThan(0);
    const labelsOf = Map.groupBy(all(), ({ name }) => name);
    for (const { name, labels } of used) {
      const shown = labelsOf.get(name) ?? [];
      const declared = `# TYPE ${name.replace(/_bucket$/, "")} `;
      const isDeclared = [...texts.values()].some((text) => text.includes(declared));
      expect([name, isDeclared]).toEqual([name, true]);
      const known = new Set(shown.flatMap((sample) => Object.keys(sample.labels)));
      const unknown = shown.length > 0 ? labels.filter((label) => !known.has(label)) : [];
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  it("are checked by a parser that finds unknown metrics and rejects invalid PromQL", () => {
    expect(metricsIn("sum(guildhall_lost{kind=~'a'})")).toEqual([
      { name: "guildhall_lost", labels: ["kind"] },
    ]);
    expect(() => metricsIn("sum(")).toThrow("no PromQL");
  });
});
