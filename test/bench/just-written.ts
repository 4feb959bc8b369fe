import { createRandom } from "../simulator/random.ts";
import { queryOnce } from "../support/database/query-once.ts";
import { type Bench, type BenchRow, compareWithFloor } from "./bench.ts";
import { writeAtlas } from "./just-written/atlas.ts";
import { writeFeed } from "./just-written/feed.ts";
import { writeLeaderboard } from "./just-written/leaderboard.ts";
import { writeMarketEvents, writeMarketSnapshot } from "./just-written/market.ts";
import {
  copyDatabase,
  type DomainWriter,
  type PathDrawer,
  writeToSite,
} from "./just-written/site.ts";
import { writeWiki } from "./just-written/wiki.ts";
import { measureMarketLoad } from "./market/load.ts";
import { type ServiceProcess, startServiceProcess } from "./parts/processes.ts";

const name = "just-written";
const connections = 2;

/** The number of rounds, and the limits of one round. */
const full = { rounds: 3, paths: 500, ms: 1_000 } as const;
const short = { rounds: 1, paths: 60, ms: 200 } as const;

type DomainWriters = Readonly<Record<string, DomainWriter>>;

/** CATALOGUE of the data that imports and bursts write. */
const writers: DomainWriters = {
  atlas: writeAtlas,
  market: writeMarketSnapshot,
  wiki: writeWiki,
  leaderboard: writeLeaderboard,
  feed: writeFeed,
};

/** A snapshot fills the market of `writers`, so events fill another one in a database of their own. */
const eventWriters: DomainWriters = { "market of events": writeMarketEvents };

/**
 * Measures public reads of data that were just written, when only the product has analyzed them. The baseline
 * (floor) is a copy of the database, of which all tables are analyzed.
 */
export const bench: Bench = {
  name,
  async run({ short: isShort, databaseUrl }) {
    const eventsUrl = await copyDatabase(databaseUrl, "events");
    return [
      ...(await measureDatabase(writers, databaseUrl, isShort)),
      ...(await measureDatabase(eventWriters, eventsUrl, isShort)),
    ];
  },
};

async function measureDatabase(
  domains: DomainWriters,
  databaseUrl: string,
  isShort: boolean,
): Promise<BenchRow[]> {
  const reads = await writeDomains(domains, databaseUrl, isShort);
  const analyzedUrl = await copyDatabase(databaseUrl, "analyzed");
  await queryOnce(analyzedUrl, "analyze");
  const [ours, floor] = await Promise.all([startWeb(databaseUrl), startWeb(analyzedUrl)]);
  try {
    const rows: BenchRow[] = [];
    for (const [read, drawPath] of reads) {
      rows.push(...(await compareRead(`${read}, p50`, drawPath, { ours, floor, isShort })));
    }
    return rows;
  } finally {
    await Promise.all([ours.stop(), floor.stop()]);
  }
}

type NamedRead = readonly [read: string, drawPath: PathDrawer];

const writeDomains = (
  domains: DomainWriters,
  databaseUrl: string,
  isShort: boolean,
): Promise<NamedRead[]> =>
  writeToSite(databaseUrl, isShort, async (site) => {
    const reads: NamedRead[] = [];
    for (const [domain, write] of Object.entries(domains)) {
      for (const [read, drawPath] of Object.entries(await write(site))) {
        reads.push([`${domain}, ${read}`, drawPath]);
      }
    }
    return reads;
  });

const startWeb = (databaseUrl: string): Promise<ServiceProcess> =>
  startServiceProcess("web", databaseUrl, {
    RL_MARKET_MAX: "1000000",
    RL_RANKING_MAX: "1000000",
    RL_SEARCH_MAX: "1000000",
  });

interface Sides {
  readonly ours: ServiceProcess;
  readonly floor: ServiceProcess;
  readonly isShort: boolean;
}

/** Compares the same reads of both databases. Each process is asked for each path only once. */
async function compareRead(
  figure: string,
  drawPath: PathDrawer,
  { ours, floor, isShort }: Sides,
): Promise<BenchRow[]> {
  const { rounds, paths, ms } = isShort ? short : full;
  const [warmUp = [], ...drawn] = drawPaths(drawPath, figure, { groups: rounds + 1, paths });
  const ask = (web: ServiceProcess) => {
    let round = 0;
    return async () => ({ [figure]: await readEach(drawn[round++] ?? [], web, ms) });
  };
  for (const web of [ours, floor]) await readEach(warmUp, web, ms / 2);
  return compareWithFloor(
    name,
    { [figure]: { unit: "ms", better: "lower", target: 1.5 } },
    { rounds, ours: ask(ours), floor: ask(floor) },
  );
}

/** Requests each path until the time is over. @returns the median milliseconds of an answer */
async function readEach(
  paths: readonly string[],
  { url }: ServiceProcess,
  ms: number,
): Promise<number> {
  let next = 0;
  const { p50 } = await measureMarketLoad(url, () => paths[next++], { connections, ms });
  return p50;
}

/** Draws groups of equally many paths. All paths differ, because a process caches its answers briefly. */
function drawPaths(
  drawPath: PathDrawer,
  seed: string,
  { groups, paths }: { readonly groups: number; readonly paths: number },
): string[][] {
  const random = createRandom(seed);
  const most = groups * paths;
  const drawn = new Set<string>();
  for (let draws = 0; draws < 3 * most && drawn.size < most; draws++) drawn.add(drawPath(random));
  const each = Math.floor(drawn.size / groups);
  const all = [...drawn];
  return Array.from({ length: groups }, (_, at) => all.slice(at * each, (at + 1) * each));
}
