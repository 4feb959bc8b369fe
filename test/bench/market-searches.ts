import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { createPgBoss, createQueue, type Queue } from "../../shared/platform/queue/queue.ts";
import { replaceMarket } from "../../shared/shard/market/snapshot.ts";
import type { VendorUpsert } from "../../shared/shard/market/vendor-state.ts";
import { withMarketWriter } from "../../shared/shard/market/writer.ts";
import { enqueueMatching } from "../../shared/shard/searches/changed-listings.ts";
import { rarestTermOf } from "../../shared/shard/searches/terms.ts";
import { createRandom } from "../simulator/random.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, compareWithFloor, figureAlone, median, type BenchRow } from "./bench.ts";
import { createSearchMatcher } from "./market/growth.ts";
import { buildSavedSearches } from "./market/wishes.ts";
import { clilocTexts, type MarketSize, buildBenchVendor, vendorsOf } from "./market/world.ts";
import { startServiceProcess } from "./parts/processes.ts";

const name = "searches";
const searches = 5_000;
const searchesPerUser = 20;
/** Upserts per second during the measurement: more than any known shard has. */
const liveRate = 50;
/** The number of changed listings that one run of the matching job compares with the searches. */
const changes = 2_000;
/**
 * The factor by which the larger measurement exceeds the smaller one, in searches and in listings.
 */
const growth = 4;
/** The limit of the growth of the time. Linear work grows 4 times, quadratic work 16 times. */
const mostGrowth = 8;
/** The limit of the delay between an upsert and its match. */
const mostMs = 5_000;

const full: MarketSize = { vendors: 5_000, listingsEach: 20 };
const short: MarketSize = { vendors: 1_000, listingsEach: 20 };

/**
 * Measures how much saved searches slow the market's writer. The baseline (floor) is the same upserts without
 * searches.
 */
export const bench: Bench = {
  name,
  async run(options): Promise<BenchRow[]> {
    const size = options.short ? short : full;
    const site = await openSite(size, options.databaseUrl);
    const upserts = liveRate * (options.short ? 2 : 10);
    const figure = `upsert at ${liveRate}/s, ${searches} searches`;
    let slowestMs = 0;
    try {
      await site.upsert(upserts);
      const rows = await compareWithFloor(
        name,
        { [figure]: { unit: "ms", better: "lower", target: 1.2 } },
        {
          rounds: options.short ? 1 : 5,
          ours: async () => {
            await site.enable(true);
            const took = await site.upsert(upserts);
            slowestMs = Math.max(slowestMs, await site.waitUntilMatched());
            return { [figure]: took };
          },
          floor: async () => {
            await site.enable(false);
            return { [figure]: await site.upsert(upserts) };
          },
        },
      );
      const matched = await site.countMatched();
      if (matched < searches / 50) throw new Error(`only ${matched} searches matched`);
      return [
        ...rows,
        ...(await compareGrowth(size, options.short ? 3 : 15)),
        figureAlone({
          bench: name,
          figure: `all matched after the last upsert (${matched} searches did)`,
          ours: slowestMs,
          unit: "ms",
          better: "lower",
          target: mostMs,
        }),
      ];
    } finally {
      await site.stop();
    }
  },
};

/** Measures how the matching time grows with the numbers of searches and listings. */
function compareGrowth(size: MarketSize, rounds: number): Promise<BenchRow[]> {
  const all = createSearchMatcher({ searches, changes }, size);
  const some = createSearchMatcher(
    { searches: searches / growth, changes: changes / growth },
    size,
  );
  for (const run of [all, some]) run();
  const figure = `matching ${growth} times the searches with ${growth} times the listings`;
  return compareWithFloor(
    name,
    { [figure]: { unit: "ms", better: "lower", target: mostGrowth } },
    {
      rounds,
      ours: async () => ({ [figure]: all() }),
      floor: async () => ({ [figure]: some() }),
    },
  );
}

interface Site {
  /** Upserts this many vendors. @returns the median milliseconds of a transaction */
  upsert(count: number): Promise<number>;
  enable(isEnabled: boolean): Promise<void>;
  /** Waits until all changes are matched. @returns the milliseconds */
  waitUntilMatched(): Promise<number>;
  countMatched(): Promise<number>;
  stop(): Promise<void>;
}

async function openSite(size: MarketSize, databaseUrl: string): Promise<Site> {
  const client = new Client(databaseUrl);
  await client.connect();
  await fill(size, client);
  await plantSearches(size, client);
  await client.query("vacuum analyze");
  const config = loadConfig(testEnvironment(databaseUrl));
  const boss = createPgBoss(config, createLogger("bench", "silent"));
  await boss.start();
  const worker = await startServiceProcess("worker", databaseUrl);
  const writer = { client, queue: createQueue(boss), nextUpsert: repriced(size) };
  const isMatched = async () =>
    (await client.query("select from listing_news limit 1")).rowCount === 0;
  return {
    upsert: (count) => upsertAtRate(count, writer),
    enable: async (isEnabled) => {
      await client.query("update market_searches set enabled = $1", [isEnabled]);
    },
    waitUntilMatched: async () => {
      const startedAt = performance.now();
      await waitUntil("all is matched", isMatched, 60_000);
      return performance.now() - startedAt;
    },
    countMatched: async () => {
      const matched = "select from market_searches where last_match_at is not null";
      return (await client.query(matched)).rowCount ?? 0;
    },
    stop: async () => {
      await worker.stop();
      await boss.stop({ graceful: false });
      await client.end();
    },
  };
}

async function fill(size: MarketSize, client: Client): Promise<void> {
  await client.query("insert into clilocs select * from unnest($1::integer[], $2::text[])", [
    clilocTexts.map(([number]) => number),
    clilocTexts.map(([, text]) => text),
  ]);
  await client.query("begin");
  await replaceMarket(vendorsOf(size), new Set(), client);
  await client.query("commit");
}

async function plantSearches(size: MarketSize, client: Client): Promise<void> {
  await client.query(
    `insert into users (username, username_key, role)
     select 'u' || n, 'u' || n, 'player' from generate_series(1, $1::integer) n`,
    [searches / searchesPerUser],
  );
  const wanted = buildSavedSearches(searches, size);
  await client.query(
    `insert into market_searches (user_id, name, query, term)
     select (select min(id) from users) + (n - 1) / $3, 'Wish', query, term
     from unnest($1::jsonb[], $2::text[]) with ordinality as given (query, term, n)`,
    [wanted.map((query) => JSON.stringify(query)), wanted.map(rarestTermOf), searchesPerUser],
  );
}

/**
 * Returns a function that returns the next upsert: one price of the next vendor changes, up and down by turns.
 */
function repriced(size: MarketSize): () => VendorUpsert {
  const random = createRandom("prices");
  let next = 0;
  return () => {
    const index = next++ % size.vendors;
    const upsert = buildBenchVendor(index, size);
    const items = upsert.items.map((item, place) =>
      place === index % size.listingsEach
        ? { ...item, price: 1 + random.logNormal(5_000, 2) }
        : item,
    );
    return { ...upsert, items };
  };
}

interface Writer {
  readonly client: Client;
  readonly queue: Queue;
  readonly nextUpsert: () => VendorUpsert;
}

/** Upserts vendors at the live rate. Each upsert has its own transaction, as ingest stores single events. */
async function upsertAtRate(count: number, { client, queue, nextUpsert }: Writer): Promise<number> {
  const log = createLogger("bench", "silent");
  const took: number[] = [];
  for (let done = 0; done < count; done++) {
    const upsert = nextUpsert();
    const startedAt = performance.now();
    await client.query("begin");
    await withMarketWriter(client, (writer) => writer.upsert([upsert]));
    await enqueueMatching(client, { queue, log });
    await client.query("commit");
    took.push(performance.now() - startedAt);
    await sleep(Math.max(0, 1_000 / liveRate - (performance.now() - startedAt)));
  }
  return median(took);
}
