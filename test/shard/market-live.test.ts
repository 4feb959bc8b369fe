import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { smallWorld } from "../simulator/world/sizes.ts";
import { type Listing, type Vendor, vendorRow } from "../simulator/world/vendors.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let ingest: ChildProgram;
/** Open shops with goods. Each is used for one change. */
let vendors: Vendor[];

beforeAll(async () => {
  const world = { ...smallWorld, vendors: 60, listings: 1_200 };
  shard = await startLinkedShard({ simulator: { world } });
  ingest = await startProgram("ingest", { database: shard.server.database });
  await waitUntil("the shard's whole market is stored", isCaughtUp);
  vendors = [...shard.simulator.world.vendors.values()].filter(
    (vendor) => !vendor.hidden && vendor.place.map !== "Internal" && goodsOf(vendor).length > 0,
  );
});
afterAll(async () => {
  await ingest?.stop();
  await shard?.stop();
});

async function isCaughtUp(): Promise<boolean> {
  const { seq, stale } = await ingestSourceOf(shard.server);
  return seq === shard.simulator.buffer.head && stale.length === 0;
}

/** Returns the listings of a vendor, except containers and their contents. */
const goodsOf = ({ items }: Vendor): Listing[] =>
  items.filter(({ child, price }, at) => !child && price > 0 && items[at + 1]?.child !== true);
const firstOf = (vendor: Vendor): Listing => goodsOf(vendor)[0] as Listing;

const market = async (query: string): Promise<Record<string, unknown>> =>
  (await callRoute(shard.server, `GET /public/shard/market?${query}`)).body as Record<
    string,
    unknown
  >;
const vendorOf = ({ serial }: Vendor): Promise<ApiAnswer> =>
  callRoute(shard.server, `GET /public/shard/market/vendors/${serial}?limit=500`);

/** Searches for listings with exactly this price. @returns their serials */
const costing = async (price: number): Promise<unknown[]> => {
  const { listings } = await market(`minPrice=${price}&maxPrice=${price}&limit=100`);
  return (listings as { serial: string }[]).map(({ serial }) => serial);
};
const soldBy = async (vendor: Vendor): Promise<readonly { serial: string; price: number }[]> =>
  ((await vendorOf(vendor)).body as { items: { serial: string; price: number }[] }).items;

interface MarketChange {
  /** Makes the change on the shard. @returns the time of its event in epoch milliseconds */
  readonly make: () => number;
  /** Returns true if the change is visible both in the search and at the vendor. */
  readonly isSeen: () => Promise<boolean>;
}

const changes = 7;
const promisedMs = 1_000;
/** The milliseconds that a check takes at most on an idle machine. */
const lookMs = 50;

const medianOf = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? Infinity;

/**
 * Measures how old changes are when they become visible.
 * @returns the median age, as a multiple of the promised second. If checks take longer than on an idle machine,
 * the age is divided by that factor too. The median ignores single delays.
 */
async function medianAge(change: (vendor: Vendor, at: number) => MarketChange): Promise<number> {
  const [ages, looks]: [number[], number[]] = [[], []];
  for (let at = 0; at < changes; at++) {
    const { make, isSeen } = change(vendors.pop() as Vendor, at);
    const lookedAt = performance.now();
    expect(await isSeen()).toBe(false);
    looks.push(performance.now() - lookedAt);
    const happenedAt = make();
    await waitUntil("the change is seen", isSeen);
    ages.push(Date.now() - happenedAt);
  }
  return medianOf(ages) / (promisedMs * Math.max(1, medianOf(looks) / lookMs));
}

const tell = (vendor: Vendor): number => shard.simulator.emit("vendor.upsert", vendorRow(vendor)).t;

/** A price that no listing of the small world has. */
const oddPrice = 133_713_370;

describe("the market within a second of a change on the shard", () => {
  it("shows a changed price in the search and at the vendor, and no longer the former price", async () => {
    const repriced = (vendor: Vendor, at: number): MarketChange => {
      const listing = firstOf(vendor);
      const { serial, price: former } = listing;
      const price = oddPrice + at;
      return {
        make: () => {
          listing.price = price;
          return tell(vendor);
        },
        isSeen: async () =>
          (await costing(price)).includes(serial) &&
          !(await costing(former)).includes(serial) &&
          (await soldBy(vendor)).some((item) => item.serial === serial && item.price === price),
      };
    };
    expect(await medianAge(repriced)).toBeLessThan(1);
    expect(await market(`minPrice=${oddPrice}&maxPrice=${oddPrice + changes}`)).toMatchObject({
      total: changes,
    });
  });

  it("omits a removed listing from the search, from the vendor and from the total", async () => {
    const { total } = await market("limit=1");
    const taken = (vendor: Vendor): MarketChange => {
      const listing = firstOf(vendor);
      const isSold = async () =>
        (await soldBy(vendor)).some(({ serial }) => serial === listing.serial);
      return {
        make: () => {
          vendor.items.splice(vendor.items.indexOf(listing), 1);
          return tell(vendor);
        },
        isSeen: async () =>
          !(await costing(listing.price)).includes(listing.serial) && !(await isSold()),
      };
    };
    expect(await medianAge(taken)).toBeLessThan(1);
    expect((await market("limit=1"))["total"]).toBe((total as number) - changes);
  });

  it("omits a removed vendor and its listings", async () => {
    const { vendors: before } = await market("limit=1");
    const dismissed = (vendor: Vendor): MarketChange => {
      const { serial, price } = firstOf(vendor);
      return {
        make: () => {
          shard.simulator.world.vendors.delete(vendor.serial);
          const payload = { serial: vendor.serial, reason: "dismissed" };
          return shard.simulator.emit("vendor.removed", payload).t;
        },
        isSeen: async () =>
          (await vendorOf(vendor)).status === 404 && !(await costing(price)).includes(serial),
      };
    };
    expect(await medianAge(dismissed)).toBeLessThan(1);
    expect((await market("limit=1"))["vendors"]).toBe((before as number) - changes);
  });

  it("tells browsers and proxies to revalidate every answer", async () => {
    const asked = ["GET /public/shard/market", "GET /public/shard/market/meta"].map((route) =>
      callRoute(shard.server, route),
    );
    const answers = await Promise.all([...asked, vendorOf(vendors[0] as Vendor)]);
    expect(answers.map(({ status, headers }) => [status, headers.get("cache-control")])).toEqual(
      answers.map(() => [200, "public, no-cache"]),
    );
  });
});
