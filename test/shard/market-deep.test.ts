import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type MarketQuery, type SortOrder, sortOrders } from "../../shared/shard/market/filters.ts";
import { searchMarket } from "../../shared/shard/market/search.ts";
import { withMarketWriter } from "../../shared/shard/market/writer.ts";
import { createRandom, type RandomSource } from "../simulator/random.ts";
import { sampleCases } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { wrongCounts, wrongSegments } from "./market-counts.ts";

let server: TestServer;
let sql: Client;

beforeAll(async () => {
  server = await startTestServer();
  sql = new Client(server.database.url);
  await sql.connect();
  await sql.query(`
    insert into places (id, map, region) overriding system value
    select n, 'Malas', 'Town ' || n from generate_series(1, 3) n;
    insert into listing_labels (id, key, name, display_name) overriding system value
    values (1, gen_random_uuid(), 'Katana', 'Katana');
    insert into vendors (serial, fingerprint, listed, place_id, count, total, updated_at)
    select n, gen_random_uuid(), true, 1, 20, 20, now() from generate_series(1, 40) n`);
});
afterAll(async () => {
  await sql.end();
  await server.stop();
});

/** Returns an SQL expression for prices. In half of the calls it gives all listings the same price. */
const priceSql = (random: RandomSource): string =>
  random.chance(0.5) ? `${random.int(1, 9)}` : `1 + (serial * ${random.int(3, 99)}) % 5000`;

const some = (random: RandomSource): string => `serial % ${random.int(2, 9)} = 0`;

/** CATALOGUE of random changes of listings. */
const acts = {
  add: (random: RandomSource) => `
    insert into listings (vendor_serial, serial, digest, item_id, hue, amount, price, label_id,
      place_id, child, updated_at, search_name)
    select 1 + serial % 40, serial, gen_random_uuid(), 3000 + serial % 7, 0, 1, ${priceSql(random)}, 1,
      nullif(serial % 4, 0), false, clock_timestamp(), 'katana'
    from generate_series(${random.int(1, 9_000)}, ${random.int(9_001, 12_000)}) serial
    on conflict do nothing`,
  reprice: (random: RandomSource) =>
    `update listings set price = ${priceSql(random)}, updated_at = now() where ${some(random)}`,
  touch: (random: RandomSource) => `update listings set updated_at = now() where ${some(random)}`,
  move: (random: RandomSource) =>
    `update listings set place_id = ${random.int(1, 3)} where ${some(random)}`,
  rename: () => "update listings set search_name = 'sword'",
  remove: (random: RandomSource) => `delete from listings where ${some(random)}`,
  sell: (random: RandomSource) =>
    `delete from listings where price between 1 and ${random.int(1, 60)}`,
} as const satisfies Readonly<Record<string, (random: RandomSource) => string>>;
const seeds = sampleCases(
  Array.from({ length: 12 }, (_, seed) => `market ${seed}`),
  () => "seed",
  2,
);

const names = Object.keys(acts) as (keyof typeof acts)[];

/** Executes statements and updates the total number of listings, as a writer of the market does. */
const write = (statements: readonly string[]): Promise<void> =>
  withMarketWriter(sql, async () => {
    for (const statement of statements) await sql.query(statement);
    await sql.query(`update market_meta set version = version + 1,
      items = (select count(*) from listings), vendors = 40`);
  });

async function readWrong(): Promise<unknown> {
  const { rows } = await sql.query(
    `select ${wrongCounts} as counts, ${wrongSegments} as segments,
      (select count(*)::integer from listing_segments where listings > 2048) as long`,
  );
  return rows[0];
}

const nothingWrong = { counts: 0, segments: 0, long: 0 };

const serialText = (serial: number): string =>
  `0x${serial.toString(16).toUpperCase().padStart(8, "0")}`;

/** Requires a page of the market to equal a plain sorted query on the whole table. */
async function expectSamePage(query: MarketQuery): Promise<void> {
  const { sort, limit, offset, minPrice = 1, maxPrice = 2 ** 31 - 1 } = query;
  const inRange = "from listings where price between $1 and $2";
  const range = [minPrice, maxPrice];
  const plain = await sql.query<{ serial: number }>(
    `select serial ${inRange} order by ${sortOrders[sort].join(", ")} limit $3 offset $4`,
    [...range, limit, offset],
  );
  const counted = await sql.query(`select count(*)::integer as total ${inRange}`, range);
  const page = await searchMarket(query, () => true, server.context);
  expect({ query, serials: page.listings.map(({ serial }) => serial) }).toEqual({
    query,
    serials: plain.rows.map(({ serial }) => serialText(serial)),
  });
  expect({ query, total: page.total }).toEqual({ query, ...counted.rows[0] });
}

describe("the stored counts and orders of the market", () => {
  it.each(seeds)(
    "equal counts and orders computed from all listings after random changes: seed %s",
    async (seed) => {
      const random = createRandom(seed);
      await sql.query("truncate listings");
      await write([acts.add(random), acts.add(random)]);
      for (let turn = 0; turn < 4; turn++) {
        const statements = Array.from({ length: random.int(1, 4) }, () =>
          acts[random.pick(names)](random),
        );
        await sql.query("begin");
        await write(statements);
        await sql.query("commit");
        // A write balances only the segments that earlier writes made too long, so make one more write.
        await write([]);
        expect(await readWrong()).toEqual(nothingWrong);
        for (const sort of Object.keys(sortOrders) as SortOrder[]) {
          for (const offset of [1_999, 2_000, random.int(2_001, 9_000), random.int(2_001, 9_000)]) {
            const minPrice = random.chance(0.3) ? random.int(1, 12) : undefined;
            const maxPrice = random.chance(0.3) ? random.int(3_000, 5_500) : undefined;
            await expectSamePage({ sort, limit: random.int(1, 100), offset, minPrice, maxPrice });
          }
        }
      }
    },
  );

  it("can be rebuilt after they were lost", async () => {
    await sql.query("update listing_counts set listings = 7; delete from listing_segments");
    await sql.query("select recount_listings()");
    expect(await readWrong()).toEqual(nothingWrong);
  });
});
