import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { replaceMarket } from "../../shared/shard/market/snapshot.ts";
import { createRandom } from "../simulator/random.ts";
import {
  type Bench,
  type BenchOptions,
  compareWithFloor,
  median,
  type BenchRow,
  buildBenchRow,
} from "./bench.ts";
import { floorTables } from "./market/floor.ts";
import { measureMarketLoad, type MarketLoadResult } from "./market/load.ts";
import { floorSide, ourSide, type Side } from "./market/sides.ts";
import {
  clilocTexts,
  commonTerms,
  type MarketSize,
  variedTerms,
  vendorsOf,
} from "./market/world.ts";

const name = "market";
const full: MarketSize = { vendors: 50_000, listingsEach: 20 };
const short: MarketSize = { vendors: 2_500, listingsEach: 20 };
const connections = 8;

/** Upserts per second during the timed searches: more than any known shard has. */
const liveRate = 50;

/**
 * Measures market searches over HTTP, and upserts. The baseline (floor) is hand-written statements on tables of
 * their own.
 */
export const bench: Bench = {
  name,
  async run(options: BenchOptions): Promise<BenchRow[]> {
    const size = options.short ? short : full;
    const client = new Client(options.databaseUrl);
    await client.connect();
    const sides: Side[] = [];
    try {
      const filled = await fill(size, client);
      const ours = await ourSide(size, options.databaseUrl);
      sides.push(ours);
      const floor = await floorSide(size, options.databaseUrl);
      sides.push(floor);
      return [filled, ...(await measure({ ours, floor }, size, options.short))];
    } finally {
      await Promise.all([client.end(), ...sides.map((side) => side.stop())]);
    }
  },
};

/** Fills the service's tables from a full snapshot, and then copies these rows to the minimal market's tables. */
async function fill(size: MarketSize, client: Client): Promise<BenchRow> {
  await client.query("insert into clilocs select * from unnest($1::integer[], $2::text[])", [
    clilocTexts.map(([number]) => number),
    clilocTexts.map(([, text]) => text),
  ]);
  const startedAt = performance.now();
  await client.query("begin");
  await replaceMarket(vendorsOf(size), new Set(), client);
  await client.query("commit");
  const ours = performance.now() - startedAt;
  const insertedAt = performance.now();
  await client.query(floorTables);
  const floor = performance.now() - insertedAt;
  await client.query("vacuum analyze");
  return buildBenchRow({
    bench: name,
    figure: "first snapshot",
    ours,
    floor,
    unit: "ms",
    better: "lower",
  });
}

interface Sides {
  readonly ours: Side;
  readonly floor: Side;
}

async function measure(sides: Sides, size: MarketSize, isShort: boolean): Promise<BenchRow[]> {
  const ms = isShort ? 1_000 : 6_000;
  const rounds = isShort ? 1 : 3;
  const search = (mix: string, paths: (round: number) => string[]) =>
    compareSearches(sides, { mix, paths, ms, rounds });
  return [
    ...(await search("common terms", (round) => commonPaths(`common ${round}`))),
    ...(await search("terms that hardly repeat", (round) =>
      variedTerms(10_000, size, `varied ${round}`).map((term) => pathOf({ q: term })),
    )),
    ...(await search("common terms in price ranges", (round) => rangePaths(`ranges ${round}`))),
    ...(await compareUpserts(sides, isShort ? 200 : 2_000)),
    ...(await searchWhileUpserting(sides, size, ms)),
  ];
}

const pathOf = (query: Readonly<Record<string, string>>): string =>
  `/api/v1/public/shard/market?${new URLSearchParams(query).toString()}`;

/** Returns paths with typical terms and pages. Most paths request the first page. */
function commonPaths(seed: string): string[] {
  const random = createRandom(seed);
  return Array.from({ length: 5_000 }, () => {
    const offset = random.chance(0.8) ? 0 : 50 * random.int(1, 4);
    return pathOf({ q: random.pick(commonTerms), offset: String(offset) });
  });
}

function rangePaths(seed: string): string[] {
  const random = createRandom(seed);
  return Array.from({ length: 5_000 }, () => {
    const minPrice = random.logNormal(2_000, 1.5);
    const maxPrice = minPrice * random.int(2, 20);
    const range = { minPrice: String(minPrice), maxPrice: String(maxPrice) };
    return pathOf({ q: random.pick(commonTerms), ...range });
  });
}

interface SearchMix {
  readonly mix: string;
  /** Returns the paths to request in a round. Both sides get the same paths. */
  readonly paths: (round: number) => string[];
  readonly ms: number;
  readonly rounds: number;
}

function compareSearches(sides: Sides, { mix, paths, ms, rounds }: SearchMix): Promise<BenchRow[]> {
  const run = (side: Side) => {
    let round = 0;
    return async () => {
      const figures = await searchFor(side, paths(round++), ms);
      return {
        [`${mix}, rate`]: figures.perSecond,
        [`${mix}, p50`]: figures.p50,
        [`${mix}, p99`]: figures.p99,
      };
    };
  };
  const figures = {
    [`${mix}, rate`]: { unit: "searches/s", better: "higher", target: 0.9 },
    [`${mix}, p50`]: { unit: "ms", better: "lower" },
    [`${mix}, p99`]: { unit: "ms", better: "lower" },
  } as const;
  return compareWithFloor(name, figures, {
    rounds,
    ours: run(sides.ours),
    floor: run(sides.floor),
  });
}

function searchFor(
  { origin }: Side,
  paths: readonly string[],
  ms: number,
): Promise<MarketLoadResult> {
  let next = 0;
  return measureMarketLoad(origin, () => paths[next++ % paths.length] ?? "/", { connections, ms });
}

async function compareUpserts(sides: Sides, count: number): Promise<BenchRow[]> {
  const batch = 50;
  const run = (side: Side) => async () => ({
    "upsert of one listing": await upsertMs(side, count, 1),
    "upsert of one listing, 50 a batch": (await upsertMs(side, count / batch, batch)) / batch,
  });
  const figures = {
    "upsert of one listing": { unit: "ms", better: "lower", target: 1.5 },
    "upsert of one listing, 50 a batch": { unit: "ms", better: "lower", target: 1.5 },
  } as const;
  return compareWithFloor(name, figures, {
    rounds: 3,
    ours: run(sides.ours),
    floor: run(sides.floor),
  });
}

/** Measures upserts. @returns the median milliseconds of a transaction */
async function upsertMs(side: Side, transactions: number, batch: number): Promise<number> {
  const took: number[] = [];
  for (let done = 0; done < transactions; done++) {
    const upserts = side.nextUpserts(batch);
    const startedAt = performance.now();
    await side.reprice(upserts);
    took.push(performance.now() - startedAt);
  }
  return median(took);
}

async function searchWhileUpserting(
  { ours, floor }: Sides,
  size: MarketSize,
  ms: number,
): Promise<BenchRow[]> {
  // Terms that rarely repeat. With repeated terms, cached totals would hide the cost of changes.
  const paths = (part: string) =>
    variedTerms(10_000, size, `live ${part}`).map((term) => pathOf({ q: term }));
  const quiet = await searchFor(ours, paths("quiet"), ms);
  const our = await live(ours, paths("live"), ms);
  const their = await live(floor, paths("live"), ms);
  return [
    buildBenchRow({
      bench: name,
      figure: `search while ${liveRate} upserts/s, rate`,
      ours: our.search.perSecond,
      floor: their.search.perSecond,
      unit: "searches/s",
      better: "higher",
      target: 0.9,
    }),
    buildBenchRow({
      bench: name,
      figure: `search while ${liveRate} upserts/s, p99 beside a quiet market`,
      ours: our.search.p99,
      floor: quiet.p99,
      unit: "ms",
      better: "lower",
      target: 1.5,
    }),
    buildBenchRow({
      bench: name,
      figure: "upsert of one listing while searching",
      ours: our.upsertMs,
      floor: their.upsertMs,
      unit: "ms",
      better: "lower",
      target: 1.5,
    }),
  ];
}

/** Measures searches at full speed while one vendor at a time is upserted, at the live rate. */
async function live(
  side: Side,
  paths: readonly string[],
  ms: number,
): Promise<{ search: MarketLoadResult; upsertMs: number }> {
  const took: number[] = [];
  const endsAt = performance.now() + ms;
  const upsert = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const upserts = side.nextUpserts(1);
      const startedAt = performance.now();
      await side.reprice(upserts);
      took.push(performance.now() - startedAt);
      await sleep(1_000 / liveRate);
    }
  };
  const [search] = await Promise.all([searchFor(side, paths, ms), upsert()]);
  return { search, upsertMs: median(took) };
}
