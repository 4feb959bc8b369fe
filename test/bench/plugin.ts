import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { testEnvironment } from "../support/service/server.ts";
import {
  type Bench,
  figureAlone,
  median,
  quantile,
  type BenchRow,
  buildBenchRow,
} from "./bench.ts";
import { startIngestBench } from "./ingest/intake.ts";
import { StoredEventFollower } from "./ingest/probe.ts";
import { now } from "./parts/clock.ts";
import { startServiceProcess, type ServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";
import { followStream } from "./plugin/follow-stream.ts";
import { makeKey } from "./plugin/make-key.ts";
import { event } from "./stream/event.ts";

const name = "plugin";

/**
 * Measures events, commands and long polls of plugins. Compares the events with the same events over a sidecar's
 * socket.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const client = new Client(databaseUrl);
    await client.connect();
    const probe = await StoredEventFollower.start(databaseUrl);
    try {
      const socket = await measureSocket(databaseUrl, probe, short);
      return await measurePlugin({ databaseUrl, client, probe, isShort: short, socket });
    } finally {
      await probe.stop();
      await client.end();
    }
  },
};

/**
 * The maximum rate of events: per second, and per second of CPU time of all processes of the
 * service.
 */
interface FlatOut {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

const countOf = (isShort: boolean): number => (isShort ? 5_000 : 50_000);
const roundsOf = (isShort: boolean): number => (isShort ? 1 : 5);

/** Measures the same kinds of events over a sidecar's socket. */
async function measureSocket(
  databaseUrl: string,
  probe: StoredEventFollower,
  isShort: boolean,
): Promise<FlatOut> {
  const { sender, ours, floor } = await startIngestBench(databaseUrl);
  try {
    const count = countOf(isShort);
    return await flatOut({
      count,
      rounds: roundsOf(isShort),
      probe,
      processes: [ours],
      prepare: () => sender.call("prepare", { count, plain: true }),
      send: () => sender.call<number>("send", { to: "/ours" }),
    });
  } finally {
    await Promise.all([ours.stop(), floor.stop(), sender.stop()]);
  }
}

interface Flow {
  readonly count: number;
  readonly rounds: number;
  readonly probe: StoredEventFollower;
  readonly processes: readonly ServiceProcess[];
  prepare(): Promise<unknown>;
  /** Sends all prepared events. @returns the time at which sending began */
  send(): Promise<number>;
}

async function flatOut(flow: Flow): Promise<FlatOut> {
  const { count, rounds, probe, processes } = flow;
  const cpuSeconds = async (): Promise<number> => {
    const all = await Promise.all(processes.map((one) => one.usage()));
    return all.reduce((sum, one) => sum + one.cpuSeconds, 0);
  };
  const rates: number[] = [];
  const efficiencies: number[] = [];
  // The first round warms up the processes and is not measured.
  for (let round = 0; round <= rounds; round++) {
    await flow.prepare();
    const [before, lastId] = [await cpuSeconds(), await probe.lastId("ours")];
    const stored = probe.untilStored("ours", lastId + count);
    const startedAt = await flow.send();
    const seconds = ((await stored) - startedAt) / 1e6;
    if (round === 0) continue;
    rates.push(count / seconds);
    efficiencies.push(count / ((await cpuSeconds()) - before));
  }
  return { perSecond: median(rates), perCpuSecond: median(efficiencies) };
}

interface Plugin {
  readonly databaseUrl: string;
  readonly client: Client;
  readonly probe: StoredEventFollower;
  readonly isShort: boolean;
  readonly socket: FlatOut;
}

async function measurePlugin(given: Plugin): Promise<BenchRow[]> {
  const { databaseUrl, client, probe, isShort, socket } = given;
  await client.query("update shardlink set kind = 'plugin', enabled = true");
  const key = await makeKey("shard", client);
  const [web, ingest] = [
    await startServiceProcess("web", databaseUrl),
    await startServiceProcess("ingest", databaseUrl),
  ];
  const caller = await BenchProgram.start("plugin/caller.ts");
  try {
    const url = `${web.url}/api/v1/plugin`;
    await caller.call("start", { seed: "bench" });
    await caller.call("greet", { url, key });
    const count = countOf(isShort);
    const flow = await flatOut({
      count,
      rounds: roundsOf(isShort),
      probe,
      processes: [web, ingest],
      prepare: () => caller.call("prepare", { count }),
      send: () => caller.call<number>("send"),
    });
    return [
      figureAlone({
        bench: name,
        figure: "plain events, flat out",
        ours: flow.perSecond,
        unit: "events/s",
        better: "higher",
        target: 5_000,
      }),
      buildBenchRow({
        bench: name,
        figure: "plain events, beside the socket",
        ours: flow.perCpuSecond,
        floor: socket.perCpuSecond,
        unit: "events/CPU s",
        better: "higher",
        target: 0.4,
      }),
      await measureStream(caller, web, isShort),
      await measureCommands(caller, { web, databaseUrl, isShort }),
      ...(await measureWaits(caller, { web, client, isShort })),
    ];
  } finally {
    await Promise.all([web.stop(), ingest.stop(), caller.stop()]);
  }
}

/** Measures the time from an event in the plugin until a browser has received all of it. */
async function measureStream(
  caller: BenchProgram,
  web: ServiceProcess,
  isShort: boolean,
): Promise<BenchRow> {
  const count = isShort ? 100 : 1_500;
  const following = await followStream(`${web.url}/api/v1/public/shard/stream`, count);
  await caller.call("pace", { ...event, perSecond: 50, count });
  const took = (await following.received).map(({ t, at }) => (at - t) / 1e3);
  return figureAlone({
    bench: name,
    figure: "event to browser at 50 events/s, p99",
    ours: quantile(took, 0.99),
    unit: "ms",
    better: "lower",
    target: 150,
  });
}

interface Commanding {
  readonly web: ServiceProcess;
  readonly databaseUrl: string;
  readonly isShort: boolean;
}

/**
 * Measures the time from an administrator's request to its answer. The answer contains the outcome
 * from the plugin.
 */
async function measureCommands(
  caller: BenchProgram,
  { web, databaseUrl, isShort }: Commanding,
): Promise<BenchRow> {
  const cookie = await signIn(web.url, databaseUrl);
  await caller.call("serve");
  const took: number[] = [];
  for (let sent = 0; sent < (isShort ? 20 : 300); sent++) {
    const startedAt = now();
    const response = await fetch(`${web.url}/api/v1/admin/shard/broadcast`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ text: "The gates open" }),
    });
    if (response.status !== 200) throw new Error(`broadcast: ${await response.text()}`);
    await response.arrayBuffer();
    took.push((now() - startedAt) / 1e3);
  }
  return figureAlone({
    bench: name,
    figure: "command there and back, p50",
    ours: median(took),
    unit: "ms",
    better: "lower",
    target: 40,
  });
}

async function signIn(url: string, databaseUrl: string): Promise<string> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, name);
  const user = await createTestUser({ context: { config, sequelize } }, { role: "admin" });
  await sequelize.close();
  return logIn({ url }, user);
}

interface Waiting {
  readonly web: ServiceProcess;
  readonly client: Client;
  readonly isShort: boolean;
}

const plugins = 100;

/** Measures the CPU time of plugins that wait for commands during some idle minutes. */
async function measureWaits(
  caller: BenchProgram,
  { web, client, isShort }: Waiting,
): Promise<BenchRow[]> {
  const { rows } = await client.query<{ id: number }>(
    `with made as (
       insert into survival_servers (slug, name, kind, enabled)
       select 'bench-' || n, 'Bench ' || n, 'plugin', true from generate_series(1, $1) n returning id),
     sources as (insert into ingest_sources (source) select 'survival:' || id from made)
     select id from made`,
    [plugins],
  );
  const keys: string[] = [];
  for (const { id } of rows) keys.push(await makeKey(`survival:${id}`, client));
  const before = await web.usage();
  await caller.call("wait", { url: `${web.url}/api/v1/plugin`, keys });
  const waiting = async () => {
    const counted = await client.query<{ count: number }>(
      "select count(*)::integer as count from plugin_sessions where source like 'survival:%' and wait_id is not null",
    );
    return counted.rows[0]?.count === plugins;
  };
  await waitUntil("all plugins wait", waiting).catch(() => undefined);
  const settled = await web.usage();
  const seconds = isShort ? 5 : 60;
  await sleep(seconds * 1_000);
  const after = await web.usage();
  const alone = (figure: string, ours: number, unit: string, target: number): BenchRow =>
    figureAlone({ bench: name, figure, ours, unit, better: "lower", target });
  const share = ((after.cpuSeconds - settled.cpuSeconds) / seconds) * 100;
  const memory = (after.memoryBytes - before.memoryBytes) / plugins / 1_024;
  const connections = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name like 'guildhall%'`,
  );
  return [
    alone(`${plugins} plugins wait, CPU of the web process`, share, "%", 10),
    alone(`${plugins} plugins wait, memory of each`, memory, "KiB", 200),
    alone(
      `${plugins} plugins wait, database connections`,
      connections.rows[0]?.count ?? Number.NaN,
      "connections",
      30,
    ),
  ];
}
