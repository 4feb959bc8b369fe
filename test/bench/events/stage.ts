import { Client, type QueryResultRow } from "pg";

import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../../shared/platform/db/connection/connection.ts";
import { createTestUser, logIn } from "../../support/accounts/sign-in.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { takeFreePort } from "../../support/network/ports.ts";
import { ChildProgram } from "../../support/service/own-process.ts";
import { testEnvironment } from "../../support/service/server.ts";
import { startServiceProcess, type ServiceProcess } from "../parts/processes.ts";
import { recordStatements } from "../parts/statements.ts";

/** A step that has had its effect on the shard. */
export interface ActedStep {
  readonly runId: number;
  readonly seq: number;
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  readonly actedAt: number;
}

interface Parts {
  readonly client: Client;
  readonly simulator: ChildProgram;
  readonly shardUrl: string;
  readonly web: ServiceProcess;
  readonly worker: ServiceProcess;
  readonly cookie: string;
}

/** Runs start this long after they are created, so that their creation is not measured. */
const startsInMs = 3_000;
const withinMs = 180_000;

/**
 * A web process and a worker of the service, and a shard that records when each command takes
 * effect.
 */
export class EventBenchSite {
  readonly client: Client;
  readonly shardUrl: string;
  readonly #parts: Parts;
  #written = 0;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.client = parts.client;
    this.shardUrl = parts.shardUrl;
  }

  static async start(databaseUrl: string): Promise<EventBenchSite> {
    const client = new Client(databaseUrl);
    await client.connect();
    await recordStatements(client);
    const port = await takeFreePort();
    const shardUrl = `http://127.0.0.1:${port}`;
    const simulator = new ChildProgram({
      name: "shard",
      file: "test/simulator/main.ts",
      arguments: [`--port=${port}`, "--rate=0", "--world=small"],
      environment: {},
      readyAt: `${shardUrl}/sim/status`,
    });
    const [web, worker] = await Promise.all([
      startServiceProcess("web", databaseUrl),
      startServiceProcess("worker", databaseUrl),
      simulator.start(),
    ]);
    const cookie = await signInAsAdmin(databaseUrl, web.url);
    const stage = new EventBenchSite({ client, simulator, shardUrl, web, worker, cookie });
    await stage.#ask("PUT", "/admin/shardlink/config", {
      baseUrl: shardUrl,
      wsUrl: `${shardUrl.replace("http", "ws")}/v1/stream`,
      token: "simulator-token",
      protocol: 8,
      enabled: true,
    });
    return stage;
  }

  async stop(): Promise<void> {
    const { client, simulator, web, worker } = this.#parts;
    await Promise.all([web.stop(), worker.stop(), simulator.kill(), client.end()]);
  }

  /** Publishes an event of one phase with a broadcast at each of these offsets. @returns its id */
  async write(offsets: readonly number[]): Promise<number> {
    const steps = offsets.map((offsetSeconds, at) => ({
      key: `s${at}`,
      actionId: "shard.broadcast",
      params: { text: `${at}` },
      offsetSeconds,
    }));
    const spec = { phases: [{ key: "one", title: "One", steps }] };
    const title = `Bench ${++this.#written}`;
    const { event } = await this.#ask<{ event: { id: number } }>("POST", "/admin/events", {
      title,
      spec,
    });
    await this.#ask("POST", `/admin/events/${event.id}/publish`, {});
    await this.#ask("POST", `/admin/events/${event.id}/verify`, {});
    return event.id;
  }

  /** Schedules this many concurrent runs of an event. @returns the runs, which start shortly after */
  async schedule(eventId: number, count: number): Promise<number[]> {
    const runs: number[] = [];
    const from = Date.now() + startsInMs + count * 15;
    for (let at = 0; at < count; at++) {
      const scheduledFor = new Date(from + at).toISOString();
      const path = `/admin/events/${eventId}/runs`;
      const made = await this.#ask<{ run: { id: number } }>("POST", path, { scheduledFor });
      runs.push(made.run.id);
    }
    return runs;
  }

  /**
   * Waits until all of these runs have ended.
   * @returns their steps with the times of their effects
   */
  async actedOf(runs: readonly number[]): Promise<ActedStep[]> {
    await this.untilAll(runs, "completed");
    const steps = await this.rows<Omit<ActedStep, "actedAt"> & { key: string }>(
      `select run_id as "runId", seq, attempts, idempotency_key as key,
         extract(epoch from due_at)::float8 * 1000 as "dueAt"
       from event_steps where run_id = any($1) order by run_id, seq`,
      [runs],
    );
    const acted = await this.effects("evt:");
    return steps.map(({ key, ...step }) => ({ ...step, actedAt: acted.get(key) ?? Number.NaN }));
  }

  async untilAll(runs: readonly number[], status: string): Promise<void> {
    const isSo = async (): Promise<boolean> => {
      const [left] = await this.rows<{ bench_left: number }>(
        "select count(*)::integer as bench_left from event_runs where id = any($1) and status <> $2",
        [runs, status],
      );
      return left?.bench_left === 0;
    };
    await waitUntil(`the runs are ${status}`, isSo, withinMs);
  }

  /** Returns the time of the first effect of each key, in epoch milliseconds. */
  async effects(prefix: string): Promise<ReadonlyMap<string, number>> {
    const response = await fetch(`${this.shardUrl}/sim/effects?prefix=${prefix}`);
    const { effects } = (await response.json()) as { effects: { key: string; at: number }[] };
    return new Map(effects.map(({ key, at }) => [key, at]));
  }

  /** Makes the shard answer the next broadcasts with 503. */
  async refuse(times: number): Promise<void> {
    const fault = { fault: "status", method: "POST", path: "/v1/broadcast", status: 503, times };
    const body = JSON.stringify({ ...fault, code: "SHARD_DOWN" });
    await fetch(`${this.shardUrl}/sim/faults`, { method: "POST", body });
  }

  /** Creates this many active runs whose next step is due in a week. */
  async fill(count: number): Promise<void> {
    const [runId] = await this.schedule(await this.write([604_800]), 1);
    if (runId === undefined) throw new Error("no run was made");
    await this.untilAll([runId], "running");
    await this.client.query(
      `with copied as (
         insert into event_runs overriding system value
         select (jsonb_populate_record(run, jsonb_build_object(
           'id', run.id + 1000000 + n, 'scheduled_for', run.scheduled_for + n * interval '1 ms'))).*
         from event_runs run, generate_series(1, $2) n where run.id = $1 returning id)
       insert into event_steps overriding system value
       select (jsonb_populate_record(step, jsonb_build_object(
         'id', copied.id, 'run_id', copied.id, 'idempotency_key', 'idle:' || copied.id))).*
       from event_steps step, copied where step.run_id = $1`,
      [runId, count - 1],
    );
    await this.client.query("analyze event_runs, event_steps");
  }

  /**
   * Returns the number of SQL statements in the database so far, except those of this benchmark.
   */
  async statements(): Promise<number> {
    const [found] = await this.rows<{ bench_calls: number }>(
      `select sum(calls)::float8 as bench_calls from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and query not like '%bench_%'`,
    );
    return found?.bench_calls ?? Number.NaN;
  }

  async rows<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  async #ask<T>(method: string, path: string, body: object): Promise<T> {
    const { web, cookie } = this.#parts;
    const response = await fetch(`${web.url}/api/v1${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { cookie, "content-type": "application/json" },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }
}

async function signInAsAdmin(databaseUrl: string, url: string): Promise<string> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, "bench");
  try {
    const admin = await createTestUser({ context: { config, sequelize } }, { role: "admin" });
    return await logIn({ url }, admin);
  } finally {
    await sequelize.close();
  }
}
