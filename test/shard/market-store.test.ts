import * as fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { parseSerialNumber } from "../../shared/platform/bridge/serial.ts";
import type { MarketQuery } from "../../shared/shard/market/filters.ts";
import { renameAllLabels } from "../../shared/shard/market/labels.ts";
import { readMarketMeta } from "../../shared/shard/market/meta.ts";
import { searchMarket } from "../../shared/shard/market/search.ts";
import { replaceMarket } from "../../shared/shard/market/snapshot.ts";
import type { VendorUpsert } from "../../shared/shard/market/vendor-state.ts";
import { readVendor } from "../../shared/shard/market/vendor.ts";
import { withMarketWriter } from "../../shared/shard/market/writer.ts";
import { createRandom } from "../simulator/random.ts";
import { storeClilocs } from "../support/factories/shard.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { anyQuery, anyUpsert, anyVendorSerial, clilocs } from "./market-arbitraries.ts";
import { wrongCounts, wrongSegments } from "./market-counts.ts";
import { locationOf, MarketModel } from "./market-model.ts";

let server: TestServer;
let sql: Client;

beforeAll(async () => {
  server = await startTestServer();
  sql = new Client(server.database.url);
  await sql.connect();
});

afterAll(async () => {
  await sql.end();
  await server.stop();
});

const everything = () => true;

const upsertVendors = (upserts: readonly VendorUpsert[], client: Client): Promise<boolean[]> =>
  withMarketWriter(client, (writer) => writer.upsert(upserts));

const removeVendors = (serials: readonly string[], client: Client): Promise<void> =>
  withMarketWriter(client, (writer) => writer.remove(serials.map(parseSerialNumber)));

async function loadClilocs(): Promise<void> {
  await server.context.models.Cliloc.truncate();
  await storeClilocs(server, Object.fromEntries(clilocs));
}

async function emptyMarket(): Promise<void> {
  await sql.query(
    "truncate listings, listing_names, listing_labels, vendors, places restart identity cascade",
  );
  await sql.query("update market_meta set version = version + 1, vendors = 0, items = 0");
}

/** Requires all stored counts to equal the rows. A wrong count would stay wrong forever. */
async function expectWhole(): Promise<void> {
  const { rows } = await sql.query(`
    select
      (select vendors from market_meta) - (select count(*) from vendors where listed) as vendors,
      (select items from market_meta) - (select count(*) from listings) as items,
      (select count(*) from listing_names full join (
         select label_id, count(*) as listings from listings group by label_id) borne
         using (label_id)
       where listing_names.listings is distinct from borne.listings) as names,
      (select count(*) from listing_labels full join listing_names on id = label_id
       where id is null or label_id is null) as labels,
      (select count(*) from listings left join listing_names using (label_id)
       where listings.search_name is distinct from listing_names.search_name) as "searchNames",
      (select count(*) from listings left join vendors on vendors.serial = vendor_serial
       where not coalesce(listed, false) or listings.place_id is distinct from vendors.place_id)
        as places,
      (select count(*) from vendors where count <> (
         select count(*) from listings where vendor_serial = vendors.serial)) as counts,
      (select count(*) from places
       where not exists (select from vendors where place_id = places.id)) as "emptyPlaces",
      ${wrongCounts} as "wrongCounts", ${wrongSegments} as "wrongSegments"`);
  expect(rows[0]).toEqual({
    vendors: 0,
    items: 0,
    names: 0,
    labels: 0,
    searchNames: 0,
    places: 0,
    counts: 0,
    emptyPlaces: 0,
    wrongCounts: 0,
    wrongSegments: 0,
  });
}

async function expectSame(query: MarketQuery, model: MarketModel): Promise<void> {
  const page = await searchMarket(query, everything, server.context);
  const { total, listings } = model.search(query);
  expect(page.total).toBe(total);
  expect(page.listings).toEqual(
    listings.map((listing) => ({ ...listing, vendor: expect.any(Object) })),
  );
  expect(page.vendors).toBe(model.vendors.length);
}

async function expectSameVendors(model: MarketModel): Promise<void> {
  for (const serial of model.vendors) {
    const known = model.vendor(serial) as NonNullable<ReturnType<MarketModel["vendor"]>>;
    const vendor = await readVendor(serial, { limit: 500, offset: 0 }, everything, server.context);
    expect(vendor).toEqual({
      serial,
      shopName: known.upsert.vendor.shopName ?? null,
      ownerSerial: known.upsert.vendor.ownerSerial ?? null,
      ownerName: known.upsert.vendor.ownerName ?? null,
      location: locationOf(known.upsert),
      updatedAt: expect.any(Date),
      count: known.count,
      total: known.total,
      truncated: known.total > known.count,
      items: expect.any(Array),
    });
    expect(vendor.items).toHaveLength(known.count);
  }
}

type Step =
  | { readonly upsert: readonly VendorUpsert[] }
  | { readonly remove: readonly string[] }
  | { readonly swap: readonly VendorUpsert[]; readonly touched: ReadonlySet<string> };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ upsert: fc.array(anyUpsert, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(anyVendorSerial, { maxLength: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      swap: fc.array(anyUpsert, { maxLength: 5 }),
      touched: fc.array(anyVendorSerial, { maxLength: 2 }).map((serials) => new Set(serials)),
    }),
  },
);

/** Executes a step on the database. @returns true for each upsert that changed something */
async function take(step: Step): Promise<boolean[]> {
  if ("upsert" in step) return upsertVendors(step.upsert, sql);
  if ("remove" in step) await removeVendors(step.remove, sql);
  else await replaceMarket(step.swap, step.touched, sql);
  return [];
}

function takeInModel(step: Step, model: MarketModel): boolean[] {
  if ("upsert" in step) return model.upsert(step.upsert);
  if ("remove" in step) model.remove(step.remove);
  else model.swap(step.swap, step.touched);
  return [];
}

describe("the market's store", () => {
  it("equals a plain map of vendors after any updates, removals and snapshots", async () => {
    await loadClilocs();
    const steps = fc.array(anyStep, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, fc.array(anyQuery, { maxLength: 6 }), async (all, queries) => {
        await emptyMarket();
        const model = new MarketModel(clilocs);
        for (const step of all) expect(await take(step)).toEqual(takeInModel(step, model));
        await expectWhole();
        for (const query of queries) await expectSame(query, model);
        await expectSameVendors(model);
        const meta = await readMarketMeta(everything, server.context);
        expect(meta).toMatchObject(model.placeNames());
      }),
      { numRuns: propertyRunsOf(100) },
    );
  });

  it("writes nothing if a complete snapshot equals the stored market", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyUpsert, { maxLength: 6 }), async (upserts) => {
        await emptyMarket();
        await upsertVendors(upserts, sql);
        const last = [...new Map(upserts.map((one) => [one.vendor.serial, one])).values()];
        const { rows: before } = await sql.query("select *, xmin from listings order by 1, 2");
        expect(await replaceMarket(last, new Set(), sql)).toEqual({ changed: 0, removed: 0 });
        const { rows: after } = await sql.query("select *, xmin from listings order by 1, 2");
        expect(after).toEqual(before);
      }),
      { numRuns: 30 },
    );
  });
});

describe("an update of a vendor", () => {
  const item = { serial: "0x40000001", itemId: 1, hue: 2, amount: 3, price: 4, cliloc: 1_020_001 };
  const spot = { map: "Malas", x: 1, y: 2, z: 3, region: "Luna", house: "The Iron Mug" };
  const owner = { ownerSerial: "0x00000B01", ownerName: "Ann", ownerAcct: "ann" };
  const vendor = { serial: "0x00A00001", shopName: "Shop", ...owner, location: spot };
  const known = { vendor, total: 5, truncated: false, items: [item] };
  const withVendor = (change: object) => ({ ...known, vendor: { ...vendor, ...change } });
  const withSpot = (change: object) => withVendor({ location: { ...spot, ...change } });
  const withItem = (change: object) => ({ ...known, items: [{ ...item, ...change }] });

  const news: readonly VendorUpsert[] = [
    { ...known, total: 6 },
    { ...known, truncated: true },
    { ...known, items: [] },
    { ...known, items: [item, { ...item, serial: "0x40000002" }] },
    ...[{ shopName: "Stall" }, { ownerSerial: null }, { ownerName: "Bob" }].map(withVendor),
    ...[{ ownerAcct: "bob" }, { hidden: true }, { location: null }].map(withVendor),
    ...[{ map: "Felucca" }, { x: 9 }, { y: 9 }, { z: 9 }, { region: null }].map(withSpot),
    withSpot({ house: null }),
    ...[{ itemId: 9 }, { hue: 9 }, { amount: 9 }, { price: 9 }, { price: 0 }].map(withItem),
    ...[{ name: "Widowmaker" }, { cliloc: 1_020_002 }, { args: "x" }, { child: true }].map(
      withItem,
    ),
  ];

  it("is reported as a change if and only if some field differs", async () => {
    for (const other of news) {
      await emptyMarket();
      expect(await upsertVendors([known, known, other, other, known], sql)).toEqual([
        true,
        false,
        true,
        false,
        true,
      ]);
      expect(await upsertVendors([known], sql)).toEqual([false]);
      expect(await upsertVendors([other], sql)).toEqual([true]);
      await expectWhole();
    }
  });

  it("replaces the data that an earlier update stored for the vendor", async () => {
    await loadClilocs();
    for (const other of news) {
      await emptyMarket();
      const model = new MarketModel(clilocs);
      for (const upsert of [known, other]) {
        model.upsert([upsert]);
        await upsertVendors([upsert], sql);
      }
      await expectSame({ sort: "recent", limit: 9, offset: 0 }, model);
      await expectSameVendors(model);
    }
    expect(news).toHaveLength(25);
  });
});

describe("a stored vendor", () => {
  const location = { map: "Felucca", x: 11, y: 12, z: 13, region: "Britain", house: "The Anvil" };
  const vendor = {
    serial: "0x00000001",
    shopName: "Swords",
    ownerSerial: "0x00000002",
    ownerName: "Aldo",
    location,
  };
  const item = {
    serial: "0x40000001",
    itemId: 21,
    hue: 22,
    amount: 23,
    price: 24,
    name: "a sword",
    cliloc: 25,
    child: true,
  };

  async function readStored() {
    const stored = await sql.query(
      `select vendor.serial, shop_name, owner_serial, owner_name, vendor.map, vendor.region, x, y, z,
         house, count, total, places.map as place_map, places.region as place_region
       from vendors vendor join places on places.id = vendor.place_id`,
    );
    const listed = await sql.query(
      `select vendor_serial, serial, item_id, hue, amount, price, child, name, cliloc, args,
         display_name, names.search_name, listings
       from listings join listing_labels label on label.id = label_id
       join listing_names names using (label_id)`,
    );
    return { vendors: stored.rows, listings: listed.rows };
  }

  const storedAs = (by: number, name: string) => ({
    vendors: [
      {
        serial: 1,
        shop_name: `${vendor.shopName}${by}`,
        owner_serial: 2 + by,
        owner_name: `${vendor.ownerName}${by}`,
        map: `${location.map}${by}`,
        region: `${location.region}${by}`,
        x: 11 + by,
        y: 12 + by,
        z: 13 + by,
        house: `${location.house}${by}`,
        count: 1,
        total: 14 + by,
        place_map: `${location.map}${by}`,
        place_region: `${location.region}${by}`,
      },
    ],
    listings: [
      {
        vendor_serial: 1,
        serial: 0x4000_0001,
        item_id: 21 + by,
        hue: 22 + by,
        amount: 23 + by,
        price: 24 + by,
        child: by === 0,
        name,
        cliloc: 25 + by,
        args: null,
        display_name: name,
        search_name: name,
        listings: 1,
      },
    ],
  });

  /** Builds an upsert whose values all depend on `by`, so that two upserts differ in each value. */
  const upsertOf = (by: number, name: string): VendorUpsert => ({
    vendor: {
      serial: vendor.serial,
      shopName: `${vendor.shopName}${by}`,
      ownerSerial: `0x0000000${2 + by}`,
      ownerName: `${vendor.ownerName}${by}`,
      location: {
        map: `${location.map}${by}`,
        region: `${location.region}${by}`,
        house: `${location.house}${by}`,
        x: location.x + by,
        y: location.y + by,
        z: location.z + by,
      },
    },
    total: 14 + by,
    items: [
      {
        serial: item.serial,
        itemId: item.itemId + by,
        hue: item.hue + by,
        amount: item.amount + by,
        price: item.price + by,
        name,
        cliloc: item.cliloc + by,
        child: by === 0,
      },
    ],
  });

  it("has each value in its own column, both when it is new and when it is changed", async () => {
    await emptyMarket();
    await upsertVendors([upsertOf(0, "a sword")], sql);
    expect(await readStored()).toEqual(storedAs(0, "a sword"));
    await upsertVendors([upsertOf(5, "an axe")], sql);
    expect(await readStored()).toEqual(storedAs(5, "an axe"));
  });
});

describe("concurrent writers of the market", () => {
  it("take turns, and no writer overwrites the changes of another", async () => {
    await loadClilocs();
    await emptyMarket();
    const upserts = fc.sample(fc.array(anyUpsert, { maxLength: 4 }), { numRuns: 40, seed: 11 });
    const work = [
      ...upserts.map((some) => (client: Client) => upsertVendors(some, client)),
      ...upserts.slice(0, 10).map(() => (client: Client) => renameAllLabels(client)),
      ...upserts
        .slice(0, 3)
        .map((some) => (client: Client) => replaceMarket(some, new Set(), client)),
    ];
    const clients = [0, 1, 2].map(() => new Client(server.database.url));
    await Promise.all(
      clients.map(async (client, index) => {
        await client.connect();
        for (let at = index; at < work.length; at += clients.length) {
          await client.query("begin");
          await work[at]?.(client);
          await client.query("commit");
        }
        await client.end();
      }),
    );
    await expectWhole();
    expect(await server.context.models.Vendor.count()).toBeGreaterThan(0);
  });
});

describe("a name that is longer than any name in the game", () => {
  it("is stored and found", async () => {
    await emptyMarket();
    const random = createRandom("long names");
    const long = (length: number): string =>
      Array.from({ length }, () => String.fromCodePoint(random.int(0x4e00, 0x9fff))).join("");
    const [map, region, name, text] = [long(500), long(500), long(500), long(12_150)];
    await storeClilocs(server, { 1_157_067: text });
    const item = { itemId: 1, amount: 1, price: 5 };
    const upsert = {
      vendor: { serial: "0x00A00001", shopName: long(500), location: { map, region } },
      items: [
        { ...item, serial: "0x40000001", name },
        { ...item, serial: "0x40000002", cliloc: 1_157_067 },
        { ...item, serial: "0x40000003", name: "İ".repeat(500) },
      ],
    };
    expect(await upsertVendors([upsert], sql)).toEqual([true]);
    const find = (query: Partial<MarketQuery>) =>
      searchMarket(
        { sort: "price_asc", limit: 9, offset: 0, ...query },
        everything,
        server.context,
      );
    expect(await find({ q: name.slice(440) })).toMatchObject({ total: 1 });
    expect(await find({ q: text.slice(0, 60) })).toMatchObject({
      listings: [{ displayName: text.slice(0, 500) }],
    });
    expect(await find({ map, region })).toMatchObject({ total: 3 });
  });
});

describe("a market search", () => {
  it("finds in a large market the same listings as a scan of all listings", async () => {
    await loadClilocs();
    await emptyMarket();
    const model = new MarketModel(clilocs);
    const upserts = largeMarket();
    for (let from = 0; from < upserts.length; from += 40) {
      const slice = upserts.slice(from, from + 40);
      model.upsert(slice);
      await upsertVendors(slice, sql);
    }
    const anyLargeQuery = fc.record({
      query: anyQuery,
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 7_000 })),
    });
    const search = fc.asyncProperty(anyLargeQuery, ({ query, ...paging }) =>
      expectSame({ ...query, ...paging }, model),
    );
    const { failed, counterexample } = await fc.check(search, { numRuns: 400 });
    expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null });
  });

  it("returns a total that matches its page, whatever is written at the same time", async () => {
    await emptyMarket();
    const items = Array.from({ length: 30 }, (_, at) => {
      const thing = `0x${(0x4000_0001 + at).toString(16)}`;
      return { serial: thing, itemId: 9, amount: 1, price: 5 + at, name: `Thing ${at % 3}` };
    });
    const serial = "0x0000B001";
    const vendor = { serial, location: { map: "Malas", region: "Luna" } };
    const over = new AbortController();
    const write = async (): Promise<void> => {
      for (let turn = 0; !over.signal.aborted; turn++) {
        await sql.query("begin");
        await upsertVendors([{ vendor, items: items.slice(0, (turn % 4) * 10) }], sql);
        await sql.query("commit");
      }
    };
    const asked = [
      {},
      { q: "thing" },
      { q: "thing 1", minPrice: 6 },
      { itemId: 9 },
      { map: "Malas" },
    ];
    await upsertVendors([{ vendor, items }], sql);
    const writing = write();
    try {
      for (let turn = 0; turn < 200; turn++) {
        const paging = { sort: "recent", limit: 100, offset: turn % 3 } as const;
        const query = { ...asked[turn % asked.length], ...paging };
        const { total, listings } = await searchMarket(query, everything, server.context);
        const left = Math.max(0, total - paging.offset);
        expect({ query, listings: listings.length }).toEqual({ query, listings: left });
        const whole = { limit: 500, offset: 0 };
        const { count, items: held } = await readVendor(serial, whole, everything, server.context);
        expect(held).toHaveLength(count);
      }
    } finally {
      over.abort();
      await writing;
    }
  });
});

/**
 * Returns thousands of listings with few names and prices, so that pages are large and many
 * listings are tied.
 */
function largeMarket(): VendorUpsert[] {
  const random = createRandom("large market");
  const drawn = fc.sample(anyUpsert, { numRuns: 120, seed: 7 });
  let serial = 0x4000_0000;
  return drawn.map((upsert, index) => ({
    ...upsert,
    vendor: {
      ...upsert.vendor,
      serial: `0x00B0${(index + 1).toString(16).toUpperCase().padStart(4, "0")}`,
    },
    items: Array.from({ length: 60 }, () => {
      const item = random.pick(drawn.flatMap(({ items }) => items));
      return { ...item, serial: `0x${(serial += random.int(1, 9)).toString(16).toUpperCase()}` };
    }),
  }));
}

describe("the stored names of listings", () => {
  it("are those of the loaded cliloc table, whenever the table was loaded", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyUpsert, { maxLength: 6 }),
        fc.array(anyQuery, { maxLength: 4 }),
        async (upserts, queries) => {
          await emptyMarket();
          await server.context.models.Cliloc.truncate();
          const [bare, named] = [new MarketModel(), new MarketModel(clilocs)];
          for (const model of [bare, named]) model.upsert(upserts);
          await upsertVendors(upserts, sql);
          for (const query of queries) await expectSame(query, bare);
          await loadClilocs();
          await renameAllLabels(sql);
          await expectWhole();
          for (const query of queries) await expectSame(query, named);
          expect(await renameAllLabels(sql)).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });
});
