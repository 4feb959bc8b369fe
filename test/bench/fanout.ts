import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { type Bench, compareWithFloor, type FigureValues, type BenchRow } from "./bench.ts";
import type { Usage } from "./parts/answering.ts";
import { now } from "./parts/clock.ts";
import { startServiceProcess, sumUsage } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";
import { event } from "./stream/event.ts";

const name = "fanout";

/**
 * Measures the fan-out of stored events to all streams of two processes. The baseline (floor) is two minimal
 * broadcasters.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const clients = await BenchProgram.start("stream/clients.ts");
    const client = new Client(databaseUrl);
    await client.connect();
    const ours = await startOurs(databaseUrl, client);
    const floor = await startFloor();
    try {
      const sides = { ours, floor };
      const rows = await measureMemory(sides, clients, short ? 500 : 5_000);
      for (const load of loads[short ? "short" : "full"]) {
        rows.push(...(await measure(sides, clients, load)));
      }
      return rows;
    } finally {
      await Promise.all([ours.stop(), floor.stop(), clients.stop(), client.end()]);
    }
  },
};

interface Load {
  readonly count: number;
  readonly events: number;
  readonly rounds: number;
}

const loads: Readonly<Record<"short" | "full", readonly Load[]>> = {
  short: [{ count: 200, events: 20, rounds: 1 }],
  full: [
    { count: 1_000, events: 200, rounds: 3 },
    { count: 5_000, events: 60, rounds: 3 },
  ],
};

/** One side of the comparison: two processes that stream events to clients. */
interface Side {
  readonly urls: readonly string[];
  /** Sends this many events at once. @returns the id of the last event */
  tell(count: number): Promise<number>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

const { kind, payload } = event;
let seq = 0;

async function startOurs(databaseUrl: string, client: Client): Promise<Side> {
  const processes = [
    await startServiceProcess("web", databaseUrl),
    await startServiceProcess("web", databaseUrl),
  ];
  return {
    urls: processes.map(({ url }) => `${url}/api/v1/public/shard/stream`),
    tell: (count) => store(count, client),
    usage: () => sumUsage(processes),
    stop: async () => void (await Promise.all(processes.map((one) => one.stop()))),
  };
}

/** Stores events and notifies the processes, as ingest does. */
async function store(count: number, client: Client): Promise<number> {
  const seqs = Array.from({ length: count }, () => ++seq);
  const { rows } = await client.query<{ id: string }>({
    name: "store",
    text: `with stored as (
        insert into shard_events (source, epoch, seq, boot_id, kind, t, payload, reach)
        select 'shard', 'bench', seq, null, $2, $3, $4, 'public' from unnest($1::bigint[]) as seq
        returning id)
      select max(id) as id, pg_notify('shard_events', json_build_object('lastId', max(id))::text)
      from stored`,
    values: [seqs, kind, now(), JSON.stringify(payload)],
  });
  return Number(rows[0]?.id);
}

async function startFloor(): Promise<Side> {
  const file = "stream/broadcaster.ts";
  const broadcasters = [await BenchProgram.start(file), await BenchProgram.start(file)];
  const ports = await Promise.all(broadcasters.map((one) => one.call<number>("port")));
  let id = 0;
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}/`),
    tell: async (count) => {
      const events = Array.from({ length: count }, () => ({ id: ++id, kind, t: now(), payload }));
      await Promise.all(broadcasters.map((one) => one.call("broadcast", { events })));
      return id;
    },
    usage: () => sumUsage(broadcasters.map((one) => ({ usage: () => one.call<Usage>("usage") }))),
    stop: async () => void (await Promise.all(broadcasters.map((one) => one.stop()))),
  };
}

interface Sides {
  readonly ours: Side;
  readonly floor: Side;
}

/**
 * Measures the memory per client. New processes are used, because a longer-running process reuses
 * freed memory.
 */
async function measureMemory(
  sides: Sides,
  clients: BenchProgram,
  count: number,
): Promise<BenchRow[]> {
  const run = (side: Side) => async (): Promise<FigureValues> => {
    for (const warmUp of [100, 0]) {
      await clients.call("open", { urls: side.urls, count: warmUp });
      await tellInTurn(side, clients, { events: 10, each: 1, everyMs: 20 });
      await clients.call("close");
    }
    const before = (await side.usage()).memoryBytes;
    await clients.call("open", { urls: side.urls, count });
    await tellInTurn(side, clients, { events: 3, each: 1, everyMs: 50 });
    const after = (await side.usage()).memoryBytes;
    await clients.call("close");
    return { [`memory of each of ${count}`]: (after - before) / count / 1024 };
  };
  const figure = { unit: "KiB", better: "lower", target: 1.2 } as const;
  const figures = { [`memory of each of ${count}`]: figure };
  return compareWithFloor(name, figures, {
    rounds: 1,
    ours: run(sides.ours),
    floor: run(sides.floor),
  });
}

async function measure(
  { ours, floor }: Sides,
  clients: BenchProgram,
  { count, events, rounds }: Load,
): Promise<BenchRow[]> {
  const run = (side: Side) => async (): Promise<FigureValues> => {
    await clients.call("open", { urls: side.urls, count });
    await tellInTurn(side, clients, { events: 3, each: 1, everyMs: 50 });
    // A pause so long that the service, like the baseline, writes each event separately.
    const everyMs = Math.max(30, count / 20);
    const single = await tellInTurn(side, clients, { events, each: 1, everyMs });
    const burst = await tellInTurn(side, clients, { events: events / 2, each: 20, everyMs });
    await clients.call("close");
    return {
      [`${count} clients, 1 event a write`]: (count * events) / single.cpuSeconds,
      [`${count} clients, 20 events a write`]: (count * events * 10) / burst.cpuSeconds,
      [`${count} clients, p99 of first to last`]: single.spreadP99,
    };
  };
  const figures = {
    [`${count} clients, 1 event a write`]: { ...perCpu, target: 0.9 },
    [`${count} clients, 20 events a write`]: { ...perCpu, target: 0.9 },
    [`${count} clients, p99 of first to last`]: { unit: "ms", better: "lower", target: 1.3 },
  } as const;
  return compareWithFloor(name, figures, { rounds, ours: run(ours), floor: run(floor) });
}

/**
 * The service leaves two thirds of a busy process to requests, so compare deliveries per CPU second
 * and not per second.
 */
const perCpu = { unit: "deliveries/CPU s", better: "higher" } as const;

interface Telling {
  readonly events: number;
  /** The number of events that are sent together. */
  readonly each: number;
  readonly everyMs: number;
}

/**
 * Sends events one by one or in batches, and waits for all clients after each.
 * @returns the CPU time, and the delay from the first to the last client
 */
async function tellInTurn(
  side: Side,
  clients: BenchProgram,
  { events, each, everyMs }: Telling,
): Promise<{ cpuSeconds: number; spreadP99: number }> {
  await clients.call("begin");
  const before = await side.usage();
  for (let told = 0; told < events; told++) {
    const due = sleep(everyMs);
    await clients.call("untilAll", { id: await side.tell(each) });
    await due;
  }
  const after = await side.usage();
  const { spreadP99 = Number.NaN } = await clients.call<FigureValues>("figures");
  return { cpuSeconds: after.cpuSeconds - before.cpuSeconds, spreadP99 };
}
