import { Client } from "pg";

import { startContext } from "../../shared/ops/start-context.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { testEnvironment } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import {
  type Bench,
  type BenchOptions,
  compareWithFloor,
  type FigureValues,
  type BenchRow,
} from "./bench.ts";
import type { LoadResult } from "./http/load-client.ts";
import type { Usage } from "./parts/answering.ts";
import { startServiceProcess, type ServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";
import { floorTables } from "./survival/floor-tables.ts";

const name = "survival";
const watchers = 500;
/** The clients' polling interval, equal to the interval at which servers send positions. */
const askEveryMs = 5_000;
const minuteSeconds = 60;

/** The number of servers. A short run has no time for twenty. */
const serversOf = ({ short }: Pick<BenchOptions, "short">): number => (short ? 4 : 20);

/**
 * Measures twenty survival servers with two hundred players each, and clients of their maps. The servers send one
 * minute's traffic in less time, so each figure is the cost of one minute of traffic.
 */
export const bench: Bench = {
  name,
  async run(options: BenchOptions): Promise<BenchRow[]> {
    const sides = await startSides(options.databaseUrl, serversOf(options));
    try {
      const rows = await measureIngest(sides, options.short);
      return [...rows, ...(await measureWatchers(sides, options.short))];
    } finally {
      await sides.stop();
    }
  },
};

type SideName = "ours" | "floor";

interface Sides {
  readonly servers: number;
  readonly sidecars: BenchProgram;
  readonly ingest: ServiceProcess;
  readonly floor: BenchProgram;
  readonly web: ServiceProcess;
  readonly liveFloor: BenchProgram;
  readonly asker: BenchProgram;
  readonly database: Client;
  stop(): Promise<void>;
}

async function startSides(databaseUrl: string, servers: number): Promise<Sides> {
  const database = new Client(databaseUrl);
  await database.connect();
  await database.query(floorTables);
  const sidecars = await BenchProgram.start("survival/sidecars.ts");
  const port = await sidecars.call<number>("port");
  await link(port, databaseUrl, servers);
  const environment = { DATABASE_URL: databaseUrl };
  const floor = await BenchProgram.start("survival/floor.ts", environment);
  const liveFloor = await BenchProgram.start("survival/live-floor.ts", environment);
  const asker = await BenchProgram.start("http/load-client.ts");
  const [ingest, web] = await Promise.all([
    startServiceProcess("ingest", databaseUrl),
    startServiceProcess("web", databaseUrl),
  ]);
  await floor.call("connect", { url: `ws://127.0.0.1:${port}/floor`, servers });
  for (const side of ["ours", "floor"]) {
    await waitUntil(
      `${side} is connected to every server`,
      async () => (await sidecars.call<number>("connected", { side })) === servers,
    );
  }
  const parts = [web, ingest, floor, liveFloor, asker, sidecars];
  const stop = async () => {
    for (const part of parts) await part.stop();
    await database.end();
  };
  return { servers, sidecars, ingest, floor, web, liveFloor, asker, database, stop };
}

/** Creates the survival servers, as an administrator does. */
async function link(port: number, databaseUrl: string, servers: number): Promise<void> {
  const { context, parts } = await startContext(loadConfig(testEnvironment(databaseUrl)), name);
  for (let server = 1; server <= servers; server++) {
    const wsUrl = `ws://127.0.0.1:${port}/ours/${server}`;
    await linkSurvivalServer(
      { context },
      { baseUrl: `http://127.0.0.1:${port}`, wsUrl, token: name },
    );
  }
  for (const part of parts.toReversed()) await part.stop();
}

/**
 * The side (service or baseline) for which the current frames were prepared. The other side then gets the same
 * frames.
 */
const prepared = new Map<Sides, SideName>();

async function prepareOnce(side: SideName, sides: Sides): Promise<void> {
  const first = prepared.get(sides);
  prepared.delete(sides);
  if (first !== undefined && first !== side) return;
  await sides.sidecars.call("prepare");
  prepared.set(sides, side);
}

/** Sends the minute of frames to a side and waits until they are stored. */
async function sendMinute(side: SideName, sides: Sides, seconds: number): Promise<void> {
  const seq = await sides.sidecars.call<number>("send", { side, seconds });
  await waitUntil(`all is stored by ${side}`, async () =>
    side === "ours"
      ? (await behind(seq, sides)) === 0
      : (await sides.floor.call<number>("written")) >= seq,
  );
}

async function behind(seq: number, { database }: Sides): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select count(*) from ingest_sources
     where source like 'survival:%' and (seq is null or seq < $1)`,
    [seq],
  );
  return Number(rows[0]?.count);
}

const mebibyte = 1024 * 1024;

async function measureIngest(sides: Sides, isShort: boolean): Promise<BenchRow[]> {
  const seconds = isShort ? 5 : 20;
  const read = {
    ours: () => sides.ingest.usage(),
    floor: () => sides.floor.call<Usage>("usage"),
  };
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    await prepareOnce(side, sides);
    const before = await read[side]();
    await sendMinute(side, sides, seconds);
    const { cpuSeconds, memoryBytes } = await read[side]();
    const [cpuOfIngest, memoryOfIngest] = ingestFigures(sides);
    return {
      [cpuOfIngest]: cpuSeconds - before.cpuSeconds,
      [memoryOfIngest]: memoryBytes / mebibyte,
    };
  };
  // Begin with the events that a game sends when it starts.
  for (const side of ["ours", "floor"] as const) await sendMinute(side, sides, 1);
  const [cpuOfIngest, memoryOfIngest] = ingestFigures(sides);
  const figures = {
    [cpuOfIngest]: { unit: "CPU s", better: "lower", target: 1.5 },
    [memoryOfIngest]: { unit: "MiB", better: "lower", target: 1.5 },
  } as const;
  return compareWithFloor(name, figures, {
    rounds: isShort ? 1 : 5,
    ours: run("ours"),
    floor: run("floor"),
  });
}

const ingestFigures = ({ servers }: Sides): readonly [cpu: string, memory: string] => [
  `ingest of ${servers} servers, a minute`,
  `ingest of ${servers} servers, memory`,
];
const cpuOfWeb = `web with ${watchers} watchers, a minute`;
const memoryOfWeb = `web with ${watchers} watchers, memory`;

/** Measures clients that poll while positions arrive. */
async function measureWatchers(sides: Sides, isShort: boolean): Promise<BenchRow[]> {
  const seconds = isShort ? 5 : 15;
  const floorUrl = await sides.liveFloor.call<string>("listen");
  const oursUrl = `${sides.web.url}/api/v1/public/survival/servers`;
  const read = {
    ours: () => sides.web.usage(),
    floor: () => sides.liveFloor.call<Usage>("usage"),
  };
  const urlOf = { ours: `${oursUrl}/1/map/live`, floor: `${floorUrl}/1/map/live` };
  await sides.sidecars.call("prepare");
  for (const side of ["ours", "floor"] as const) await sendMinute(side, sides, 1);
  await requireSame(urlOf);
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    await sides.sidecars.call("prepare");
    const before = await read[side]();
    // The minute of traffic is sent in a twelfth of a minute of real time. Clients see one new
    // frame of positions in that time.
    const [asked] = await Promise.all([
      sides.asker.call<LoadResult>("ask", {
        url: urlOf[side],
        connections: watchers,
        ms: seconds * 1_000,
        pauseMs: askEveryMs,
      }),
      sendMinute(side, sides, seconds),
    ]);
    const { cpuSeconds, memoryBytes } = await read[side]();
    const share = (watchers * minuteSeconds * 1_000) / askEveryMs / asked.answers;
    return {
      [cpuOfWeb]: (cpuSeconds - before.cpuSeconds) * share,
      [memoryOfWeb]: memoryBytes / mebibyte,
    };
  };
  const figures = {
    [cpuOfWeb]: { unit: "CPU s", better: "lower" },
    [memoryOfWeb]: { unit: "MiB", better: "lower", target: 1.2 },
  } as const;
  return compareWithFloor(name, figures, {
    rounds: isShort ? 1 : 3,
    ours: run("ours"),
    floor: run("floor"),
  });
}

/** Requires the baseline's answer to contain everything that the service's answer contains. */
async function requireSame(urls: Readonly<Record<SideName, string>>): Promise<void> {
  const [ours, floor] = await Promise.all(
    [urls.ours, urls.floor].map(async (url) => {
      const { layers } = (await (await fetch(url)).json()) as { layers: { events: object[] } };
      return layers.events.length;
    }),
  );
  if (ours !== floor || !ours) throw new Error(`ours shows ${ours} events, the floor ${floor}`);
}
