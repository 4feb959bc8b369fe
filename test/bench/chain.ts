import { type Bench, compareWithFloor, type FigureValues, type BenchRow } from "./bench.ts";
import { startIngestBench } from "./ingest/intake.ts";
import { StoredEventFollower, type SideName } from "./ingest/probe.ts";
import type { Usage } from "./parts/answering.ts";
import { startServiceProcess, sumUsage } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";
import { event } from "./stream/event.ts";

const name = "chain";
const perSecond = 50;

/**
 * Measures the delay of an event from the game server's socket to the sockets of the stream's clients. The
 * baseline (floor) is a minimal chain of the same parts.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }): Promise<BenchRow[]> {
    const chain = await startChain(databaseUrl);
    try {
      const load = short
        ? { clients: 200, seconds: 2, rounds: 1 }
        : { clients: 1_000, seconds: 15, rounds: 3 };
      return await measure(chain, load);
    } finally {
      await chain.stop();
    }
  },
};

/** A process that reports the CPU time and memory it has used. */
interface MeasuredProcess {
  usage(): Promise<Usage>;
}

interface Side {
  readonly url: string;
  readonly parts: readonly MeasuredProcess[];
}

interface Chain extends Readonly<Record<SideName, Side>> {
  readonly sender: BenchProgram;
  readonly clients: BenchProgram;
  readonly probe: StoredEventFollower;
  stop(): Promise<void>;
}

async function startChain(databaseUrl: string): Promise<Chain> {
  const { sender, ours, floor } = await startIngestBench(databaseUrl);
  const web = await startServiceProcess("web", databaseUrl);
  const broadcaster = await BenchProgram.start("stream/broadcaster.ts");
  await broadcaster.call("follow", { databaseUrl });
  const clients = await BenchProgram.start("stream/clients.ts");
  const probe = await StoredEventFollower.start(databaseUrl);
  const all = [clients, probe, web, ours, broadcaster, floor, sender];
  return {
    sender,
    clients,
    probe,
    ours: { url: `${web.url}/api/v1/public/shard/stream`, parts: [ours, web] },
    floor: {
      url: `http://127.0.0.1:${await broadcaster.call<number>("port")}/`,
      parts: [partOf(floor), partOf(broadcaster)],
    },
    stop: async () => {
      for (const one of all) await one.stop();
    },
  };
}

const partOf = (remote: BenchProgram): MeasuredProcess => ({
  usage: () => remote.call<Usage>("usage"),
});

interface Load {
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
}

function measure(chain: Chain, { clients, seconds, rounds }: Load): Promise<BenchRow[]> {
  const at = `${clients} clients, ${perSecond} events/s`;
  const run = (side: SideName) => async (): Promise<FigureValues> => {
    await chain.clients.call("open", { urls: [chain[side].url], count: clients });
    await send(chain, side, perSecond);
    const before = await sumUsage(chain[side].parts);
    const taken = await send(chain, side, perSecond * seconds);
    const after = await sumUsage(chain[side].parts);
    await chain.clients.call("close");
    return {
      [`${at}, p50`]: taken["latencyP50"] ?? Number.NaN,
      [`${at}, p99`]: taken["latencyP99"] ?? Number.NaN,
      [`${at}, CPU`]: (after.cpuSeconds - before.cpuSeconds) / seconds,
    };
  };
  const figures = {
    [`${at}, p50`]: { unit: "ms", better: "lower" },
    [`${at}, p99`]: { unit: "ms", better: "lower", target: 1.2 },
    [`${at}, CPU`]: { unit: "cores", better: "lower", target: 1.2 },
  } as const;
  return compareWithFloor(name, figures, { rounds, ours: run("ours"), floor: run("floor") });
}

/** Emits events at a fixed rate to one side. @returns the delays that the clients measured */
async function send(
  { sender, clients, probe }: Chain,
  side: SideName,
  count: number,
): Promise<FigureValues> {
  await sender.call("prepareOne", { ...event, to: `/${side}`, count });
  const before = await probe.lastId(side);
  await clients.call("begin");
  await sender.call("pace", { to: `/${side}`, perSecond });
  await clients.call("untilAll", { id: before + count });
  return clients.call<FigureValues>("figures");
}
