import {
  type Bench,
  type BenchOptions,
  compareWithFloor,
  type FigureValues,
  median,
  quantile,
  type BenchRow,
} from "./bench.ts";
import { startIngestBench } from "./ingest/intake.ts";
import { StoredEventFollower, type SideName } from "./ingest/probe.ts";
import type { ServiceProcess } from "./parts/processes.ts";
import type { BenchProgram } from "./parts/remote.ts";

const name = "ingest";
/** The rate of the latency measurement, as a share of the minimal ingest's maximum rate. */
const calmShare = 0.3;

/**
 * Measures the time from the socket until events are stored and notified. The baseline (floor) is a bare socket
 * with one insert per batch.
 */
export const bench: Bench = {
  name,
  async run(options: BenchOptions): Promise<BenchRow[]> {
    const sides = await startSides(options.databaseUrl);
    try {
      return await measure(sides, options.short);
    } finally {
      await sides.stop();
    }
  },
};

interface Sides {
  readonly sender: BenchProgram;
  readonly probe: StoredEventFollower;
  readonly floor: BenchProgram;
  stop(): Promise<void>;
}

async function startSides(databaseUrl: string): Promise<Sides> {
  const { sender, ours, floor } = await startIngestBench(databaseUrl);
  const probe = await StoredEventFollower.start(databaseUrl);
  const parts: Pick<ServiceProcess, "stop">[] = [probe, ours, floor, sender];
  return {
    sender,
    probe,
    floor,
    stop: async () => {
      for (const part of parts) await part.stop();
    },
  };
}

async function measure(sides: Sides, isShort: boolean): Promise<BenchRow[]> {
  const count = isShort ? 10_000 : 60_000;
  const rounds = isShort ? 1 : 5;
  await warmUp(sides, count);
  const plain = await flatOut("plain events", 0.9, { sides, count, rounds, plain: true });
  const perSecond = Math.round((plain.floor ?? 0) * calmShare);
  // Use many short rounds. The disk sometimes stalls for 50 ms, and the median ignores those
  // rounds.
  const calm = await calmly({ sides, perSecond, rounds: isShort ? 1 : 25 });
  await sides.floor.call("keepStates", { on: true });
  const mixed = { sides, count: count / 4, rounds, plain: false };
  return [plain, ...calm, await flatOut("events and states", 0.6, mixed)];
}

async function warmUp(sides: Sides, count: number): Promise<void> {
  await sides.sender.call("prepare", { count, plain: true });
  for (const side of ["ours", "floor"] as const) await sendAll(sides, side, count);
}

interface FlatOut {
  readonly sides: Sides;
  readonly count: number;
  readonly rounds: number;
  readonly plain: boolean;
}

/** Sends both sides the same events as fast as they accept them. */
async function flatOut(what: string, target: number, given: FlatOut): Promise<BenchRow> {
  const { sides, count, rounds, plain } = given;
  const figure = `${what}, flat out`;
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    await prepareOnce(side, sides, { count, plain });
    return { [figure]: await sendAll(sides, side, count) };
  };
  const figures = { [figure]: { unit: "events/s", better: "higher", target } } as const;
  const rows = await compareWithFloor(name, figures, {
    rounds,
    ours: run("ours"),
    floor: run("floor"),
  });
  return rows[0] as BenchRow;
}

/**
 * The side that is measured first in the current round. New events are prepared before this side is measured,
 * and the other side then gets the same events.
 */
const prepared = new Map<Sides, SideName>();

async function prepareOnce(
  side: SideName,
  sides: Sides,
  what: { readonly count: number; readonly plain: boolean },
): Promise<void> {
  const first = prepared.get(sides);
  prepared.delete(sides);
  if (first !== undefined && first !== side) return;
  await sides.sender.call("prepare", what);
  prepared.set(sides, side);
}

/** Sends events to a side. @returns events per second, from the first sent to the last notified */
async function sendAll({ sender, probe }: Sides, side: SideName, count: number): Promise<number> {
  const before = await probe.lastId(side);
  const stored = probe.untilStored(side, before + count);
  const startedAt = await sender.call<number>("send", { to: `/${side}` });
  return count / (((await stored) - startedAt) / 1e6);
}

interface Calm {
  readonly sides: Sides;
  readonly perSecond: number;
  readonly rounds: number;
}

/** Measures latencies in rounds of one second at a fixed rate. */
function calmly({ sides, perSecond, rounds }: Calm): Promise<BenchRow[]> {
  const { sender, probe } = sides;
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    await prepareOnce(side, sides, { count: perSecond, plain: true });
    const before = await probe.lastId(side);
    const reading = probe.readAll(side, before, before + perSecond);
    await sender.call("pace", { to: `/${side}`, perSecond });
    const took = (await reading).map((microseconds) => microseconds / 1e3);
    return { "at 30 % load, p50": median(took), "at 30 % load, p99": quantile(took, 0.99) };
  };
  const figures = {
    "at 30 % load, p50": { unit: "ms", better: "lower", target: 1.3 },
    "at 30 % load, p99": { unit: "ms", better: "lower", target: 1.3 },
  } as const;
  return compareWithFloor(name, figures, { rounds, ours: run("ours"), floor: run("floor") });
}
