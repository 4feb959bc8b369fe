import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { matchListings } from "../../shared/shard/searches/match-listings.ts";
import { ChangedListingIndex, type ChangedListing } from "../../shared/shard/searches/match.ts";
import { rarestTermOf } from "../../shared/shard/searches/terms.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import type { Place } from "../simulator/world/places.ts";
import { type Listing, type Vendor, vendorRow } from "../simulator/world/vendors.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { buildPush, changeSearches } from "../support/factories/push.ts";
import { deleteUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { makeList } from "../support/races/race.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { linkSimulator, startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

let site: PushSite;
let simulator: Simulator;
let ingest: TestIngest;
let worker: TestWorker;
/** The user with the game account "Maple", which owns the tests' shops. */
let seller: Follower;
let admin: SignedIn;

beforeAll(async () => {
  // Use a longer timeout: on a busy machine short attempts would time out, and the message would be sent twice.
  site = await startPushSite({ environment: { PUSH_TIMEOUT: "10s" } });
  seller = await site.follower(["market.match"]);
  admin = await signIn(site.server, { role: "admin" });
  simulator = await startSimulator({ world: "small" });
  const { userId } = seller.user;
  simulator.world.links.set("maple", { account: "Maple", userId, linkedAt: 1 });
  worker = await startTestWorker(site.server, ["push"]);
});
afterEach(async () => {
  await site.server.context.models.MarketSearch.destroy({ where: {} });
});
afterAll(async () => {
  await ingest?.stop();
  await worker.stop();
  await simulator.stop();
  await site.stop();
});

const ask = async (who: SignedIn, route: string, body?: unknown) => {
  const [method, path = ""] = route.split(" ");
  const answered = await callRoute(site.server, `${method} /player/market/searches${path}`, {
    headers: who.headers,
    ...(body !== undefined && { body }),
  });
  return { status: answered.status, body: answered.body as Body };
};

/** The fields that answers of these routes may have. */
interface Body {
  readonly search: Saved;
  readonly searches: readonly Saved[];
  readonly errors: readonly { readonly message: string }[];
}

interface Saved {
  readonly id: number;
  readonly last_match_at: string | null;
}

const save = async (who: SignedIn, wanted: object, extra: object = {}): Promise<Saved> => {
  const { status, body } = await ask(who, "POST ", { name: "Wish", query: wanted, ...extra });
  if (status !== 201) throw new Error(`saving answered ${status}`);
  return body.search;
};

const anyTime: unknown = expect.stringMatching(/Z$/);
const katanas = { q: "katana", maxPrice: 5_000 };

describe("/player/market/searches", () => {
  let player: SignedIn;
  beforeAll(async () => {
    player = await signIn(site.server);
  });

  it("saves, lists, changes and removes a search", async () => {
    const made = await ask(player, "POST ", { name: " Katanas ", query: { ...katanas, odd: 1 } });
    const first = {
      id: expect.any(Number),
      name: "Katanas",
      query: katanas,
      enabled: true,
      created_at: anyTime,
      last_match_at: null,
    };
    expect(made).toEqual({ status: 201, body: { search: first } });
    const all = { q: "a", minPrice: 0, maxPrice: 2 ** 40, itemId: 1, map: "Malas", region: "Luna" };
    const second = await save(player, { ...all }, { enabled: false });
    expect(second).toEqual({ ...first, name: "Wish", query: all, enabled: false });
    expect((await ask(player, "GET ")).body).toEqual({ searches: [made.body.search, second] });
    const changed = await ask(player, `PUT /${second.id}`, { query: { region: "Yew", q: "" } });
    expect(changed).toEqual({
      status: 200,
      body: { search: { ...second, query: { region: "Yew" } } },
    });
    expect((await ask(player, `PUT /${second.id}`, { name: "Yew", enabled: true })).body).toEqual({
      search: { ...second, name: "Yew", query: { region: "Yew" }, enabled: true },
    });
    expect(await ask(player, `DELETE /${second.id}`)).toEqual({
      status: 200,
      body: { id: second.id },
    });
    expect((await ask(player, "GET ")).body).toEqual({ searches: [made.body.search] });
  });

  it("answers 404 for another user's search, and does not list it", async () => {
    const { id } = await save(await signIn(site.server), katanas);
    const missing = { status: 404, body: { error: "Unknown search" } };
    expect((await ask(player, "GET ")).body).toEqual({ searches: [] });
    for (const one of [id, 2 ** 40]) {
      expect(await ask(player, `PUT /${one}`, { enabled: false })).toEqual(missing);
      expect(await ask(player, `DELETE /${one}`)).toEqual(missing);
    }
  });

  it.each([
    ["q", "x".repeat(61)],
    ["minPrice", -1],
    ["maxPrice", 1.5],
    ["itemId", 2 ** 31],
    ["map", "x".repeat(65)],
    ["region", "x".repeat(129)],
  ])(
    "refuses the filters that the market refuses, with the same message: %s",
    async (field, value) => {
      const refused = await ask(player, "POST ", { name: "Wish", query: { [field]: value } });
      const market = await callRoute(site.server, `GET /public/shard/market?${field}=${value}`);
      const [fault] = (market.body as { errors: { message: string }[] }).errors;
      const path = `query.${field}`;
      expect(refused).toEqual({
        status: 400,
        body: {
          error: "Validation failed",
          errors: [{ path, message: `query.${fault?.message}` }],
        },
      });
    },
  );

  it("accepts names of facets and regions as long as the market accepts them, in any script", async () => {
    const longest = { map: "🏝".repeat(32), region: "ß🏝ƒ".repeat(32) };
    for (const wanted of [longest, { region: longest.region }, { map: longest.map }]) {
      expect(await save(player, wanted)).toMatchObject({ query: wanted });
      const named = new URLSearchParams(wanted).toString();
      const market = await callRoute(site.server, `GET /public/shard/market?${named}`);
      expect([market.status, market.body]).toMatchObject([200, { total: 0, listings: [] }]);
    }
  });

  it("refuses an empty query, values of other types, and names that are empty or too long", async () => {
    const faults = async (route: string, body: object) =>
      (await ask(player, route, body)).body.errors.map(({ message }) => message);
    const atLeastOne =
      "query must contain at least one of q, minPrice, maxPrice, itemId, map, region";
    expect(await faults("POST ", {})).toEqual(["name is required", "query is required"]);
    expect(await faults("POST ", { name: "Wish", query: {} })).toEqual([atLeastOne]);
    expect(await faults("POST ", { name: "Wish", query: { q: "", sort: "recent" } })).toEqual([
      atLeastOne,
    ]);
    const odd = { name: " ", query: { q: 7, maxPrice: "5" }, enabled: "yes" };
    expect(await faults("POST ", odd)).toEqual([
      "name must have at least 1 characters",
      "query.q must be a string",
      "query.maxPrice must be a number",
      "enabled must be a boolean",
    ]);
    expect(await faults("POST ", { name: "x".repeat(61), query: katanas })).toEqual([
      "name must have at most 60 characters",
    ]);
    const { id } = await save(player, katanas);
    expect(await faults(`PUT /${id}`, { query: {} })).toEqual([atLeastOne]);
    expect((await ask(player, "GET ")).body).toMatchObject({ searches: [{ query: katanas }] });
  });
});

/** Waits until all events are stored, all changes are matched and all messages are sent. */
async function settled(): Promise<void> {
  const { models } = site.server.context;
  await waitUntil("it is taken in", async () => {
    const [source] = await models.IngestSource.findAll({ raw: true });
    const { epoch, head } = simulator.buffer;
    return source?.epoch === epoch && source.seq === head && source.stale.length === 0;
  });
  await waitUntil("it is matched", async () => {
    const news = await query<object>(site.server, "select from listing_news limit 1");
    return news.length === 0;
  });
  await site.settled();
}

const luna: Place = { map: "Malas", x: 990, y: 527, z: -50, region: "Luna" };
const britain: Place = { map: "Felucca", x: 1602, y: 1591, z: 20, region: "Britain" };

let minted = 0x0ff0_0000;
const serial = (): string => `0x${(++minted).toString(16).toUpperCase().padStart(8, "0")}`;

const goods = (fields: Partial<Listing> = {}): Listing => ({
  serial: serial(),
  itemType: "Katana",
  itemId: 5_118,
  hue: 0,
  amount: 1,
  price: 1_000,
  name: "katana",
  cliloc: null,
  args: null,
  child: false,
  ...fields,
});

/** Creates a vendor with these goods and emits the event about it. */
function openShop(
  items: Listing[],
  { account, place = luna }: { account?: string; place?: Place } = {},
) {
  const owner = account === undefined ? null : simulator.world.accounts.get(account)?.characters[0];
  const vendor: Vendor = {
    serial: serial(),
    shopName: "Iron & Oak",
    owner: owner ?? null,
    hidden: false,
    place,
    house: null,
    commission: false,
    gold: 0,
    unpublished: 0,
    items,
  };
  tell(vendor);
  return vendor;
}

/** Emits the whole vendor with its goods, as the shard does after each change. */
function tell(vendor: Vendor, { place = vendor.place }: { place?: Place } = {}): void {
  const told = { ...vendor, place };
  simulator.world.vendors.set(vendor.serial, told);
  simulator.emit("vendor.upsert", vendorRow(told));
}

/** Creates a user with a device and a saved search. */
async function searcher(wanted: object, extra: object = {}, user?: Follower) {
  const follower = user ?? (await site.follower(["market.match"]));
  const { id } = await save(follower.user, wanted, extra);
  const pushed = { stream: "market.match", ref: String(id) };
  return {
    ...follower,
    id,
    /** Returns the number of messages about this search that the device got. */
    told: () =>
      follower.device.payloads.filter(
        (payload) => JSON.stringify(payload) === JSON.stringify(pushed),
      ).length,
    lastMatch: async () => {
      const { searches } = (await ask(follower.user, "GET ")).body;
      return searches.find((one) => one.id === id)?.last_match_at ?? null;
    },
  };
}

describe("the owner of a saved search", () => {
  it("gets no message about the first market of a newly linked shard", async () => {
    const everything = await searcher({ minPrice: 0 });
    await linkSimulator(simulator, site.server.context);
    ingest = await startTestIngest(site.server.context);
    await settled();
    const { models } = site.server.context;
    expect(await models.Listing.count()).toBeGreaterThan(20);
    expect([everything.told(), await everything.lastMatch()]).toEqual([0, null]);
  });

  it("gets one message about a new listing, if it passes every filter of the search", async () => {
    const matching = [
      katanas,
      { q: "TAN" },
      { q: "k" },
      { minPrice: 1_000, maxPrice: 1_000 },
      { itemId: 5_118 },
      { map: "Malas" },
      { region: "Luna" },
      { q: "katana", itemId: 5_118, map: "Malas", region: "Luna", minPrice: 1, maxPrice: 2 ** 40 },
    ];
    const others = [
      { q: "katanas" },
      { q: "%" },
      { maxPrice: 999 },
      { minPrice: 1_001 },
      { minPrice: 2_000, maxPrice: 500 },
      { itemId: 5_119, q: "katana" },
      { map: "Felucca" },
      { map: "Malas", region: "Britain" },
      { map: "malas" },
    ];
    const found = await Promise.all(matching.map((wanted) => searcher(wanted)));
    const passedBy = await Promise.all(others.map((wanted) => searcher(wanted)));
    const off = await searcher(katanas, { enabled: false });
    openShop([goods()]);
    await settled();
    expect(found.map((one) => one.told())).toEqual(matching.map(() => 1));
    expect(await Promise.all(found.map((one) => one.lastMatch()))).toEqual(
      matching.map(() => anyTime),
    );
    for (const one of [...passedBy, off]) {
      expect([one.told(), await one.lastMatch()]).toEqual([0, null]);
    }
  });

  it("gets a message about a listing if a new price or a new name makes it match", async () => {
    const listings = makeList(3, (at) =>
      goods({ price: [9_000, 10, 500][at] as number, name: "bow" }),
    );
    const shop = openShop(listings);
    await settled();
    const cheaper = await searcher({ q: "bow", minPrice: 4_000, maxPrice: 5_000 });
    const dearer = await searcher({ q: "bow", minPrice: 20, maxPrice: 30 });
    const named = await searcher({ q: "yew bow" });
    const always = await searcher({ q: "bow" });
    shop.items[0] = { ...(listings[0] as Listing), price: 4_500 };
    shop.items[1] = { ...(listings[1] as Listing), price: 25 };
    shop.items[2] = { ...(listings[2] as Listing), name: "Yew Bow" };
    tell(shop);
    await settled();
    expect([cheaper, dearer, named].map((one) => one.told())).toEqual([1, 1, 1]);
    expect([always.told(), await always.lastMatch()]).toEqual([0, null]);
  });

  it("gets no message about unchanged listings, changed amounts or places, or listings of their own", async () => {
    const own = await searcher({ q: "lantern" }, {}, seller);
    const shop = openShop([goods({ name: "lantern" })], { account: "maple" });
    const other = openShop([goods({ name: "candle" })]);
    await settled();
    expect([own.told(), await own.lastMatch()]).toEqual([0, null]);
    const wanted = [{ q: "candle" }, { q: "lantern" }, { maxPrice: 1_000 }, { region: "Britain" }];
    const all = await Promise.all(wanted.map((one) => searcher(one)));
    tell(shop);
    tell(other);
    other.items[0] = { ...(other.items[0] as Listing), amount: 7, hue: 33 };
    tell(other);
    tell(other, { place: britain });
    await settled();
    for (const one of all) expect([one.told(), await one.lastMatch()]).toEqual([0, null]);
  });

  it("gets one message, even if the same events are repeated, replayed or sent in a new buffer", async () => {
    const shop = openShop([goods({ name: "halberd", price: 700 })]);
    await settled();
    const wish = await searcher({ q: "halberd", maxPrice: 600 });
    for (const price of [500, 800, 400]) {
      shop.items[0] = { ...(shop.items[0] as Listing), price };
      tell(shop);
    }
    await settled();
    expect(wish.told()).toBe(1);
    const matchedAt = await wish.lastMatch();
    await changeSearches(site.server, { lastPushAt: null });
    simulator.faults.trigger("repeat", { count: 50 });
    simulator.faults.trigger("overlap", { count: 50 });
    simulator.faults.trigger("drop", { terminate: true });
    await waitUntil("it is back", () => simulator.stream.connection !== null);
    simulator.faults.trigger("recreate", { repeat: 50 });
    await waitUntil("it is back", () => simulator.stream.connection !== null);
    await settled();
    expect([wish.told(), await wish.lastMatch()]).toEqual([1, matchedAt]);
  });

  it("gets a message about a match that only a snapshot contains, because the event of the listing was lost", async () => {
    const shop = openShop([goods({ name: "rock" }), goods({ name: "candle" })]);
    await settled();
    const wish = await searcher({ q: "moonstone" });
    const known = await searcher({ q: "candle" });
    simulator.buffer.lose(() =>
      tell({ ...shop, items: [...shop.items, goods({ name: "moonstone" })] }),
    );
    simulator.faults.trigger("drop", { terminate: true });
    await waitUntil("it is told", () => wish.told() === 1);
    await settled();
    expect([known.told(), await known.lastMatch()]).toEqual([0, null]);
  });

  it("gets at most one message in 15 minutes, and a later match in this time only updates the time of the last match", async () => {
    const wish = await searcher({ q: "spellbook" });
    const other = await searcher({ q: "spell", maxPrice: 50 }, {}, wish);
    const put = async (price: number) => {
      openShop([goods({ name: "spellbook", price })]);
      await settled();
      return wish.lastMatch();
    };
    const first = await put(100);
    const second = await put(100);
    expect(Date.parse(String(second))).toBeGreaterThan(Date.parse(String(first)));
    expect([wish.told(), other.told()]).toEqual([1, 0]);
    await put(50);
    expect([wish.told(), other.told()]).toEqual([1, 1]);
    const passes = (minutes: number) =>
      changeSearches(site.server, { lastPushAt: clockNowPlus(-minutes * 60_000) });
    await passes(14);
    await put(10);
    expect([wish.told(), other.told()]).toEqual([1, 1]);
    await passes(16);
    await put(10);
    expect([wish.told(), other.told()]).toEqual([2, 2]);
  });

  it("gets a message about the next match if the message of the first match could not be queued", async () => {
    const wish = await searcher({ q: "spyglass" });
    const { context } = site.server;
    await worker.stop();
    const shop = openShop([goods({ name: "spyglass" })]);
    await waitUntil("it is taken in", async () => {
      const news = await query<object>(site.server, "select from listing_news limit 1");
      return news.length > 0;
    });
    const queue = { ...context.queue, enqueueAll: () => Promise.reject(new Error("away")) };
    await matchListings({ ...context, queue }, new AbortController().signal);
    expect([await wish.lastMatch(), wish.told()]).toEqual([anyTime, 0]);
    worker = await startTestWorker(site.server, ["push"]);
    tell({ ...shop, items: [...shop.items, goods({ name: "spyglass" })] });
    await settled();
    expect(wish.told()).toBe(1);
  });

  it("gets a message even if the account of another searcher is deleted at the same time", async () => {
    const leaving = await searcher({ q: "sextant" });
    const staying = await searcher({ q: "sextant" });
    const { sequelize, models } = site.server.context;
    const { userId } = leaving.user;
    const deletion = await sequelize.transaction();
    const lock = deletion.LOCK.UPDATE;
    await models.User.findByPk(userId, { transaction: deletion, lock });
    openShop([goods({ name: "sextant" })]);
    await waitUntilLockWaits(site.server);
    await deleteUser(site.server, userId, deletion);
    await deletion.commit();
    await settled();
    expect([leaving.told(), staying.told()]).toEqual([0, 1]);
  });

  it("gets messages only if they may see the market and, if the search filters by location, the locations", async () => {
    const see = async (market: object | null) => {
      const { headers } = admin;
      for (const rule of [null, market]) {
        const body = { features: { market: rule } };
        await callRoute(site.server, "PUT /admin/shard/visibility", { headers, body });
      }
      await waitUntil("it holds", () => {
        const { enabled, audience, fieldRules } = site.server.context.visibility.current.market;
        const now = { enabled, audience, location: fieldRules["location"] };
        const { fieldRules: rules, ...given } = (market ?? {}) as Record<string, object>;
        const wanted = { enabled: true, audience: "anonymous", location: "anonymous" };
        return JSON.stringify(now) === JSON.stringify({ ...wanted, ...given, ...rules });
      });
    };
    const player = await searcher({ q: "dagger" });
    const asksWhere = await searcher({ q: "dagger", map: "Malas" }, {}, player);
    const staff = await site.follower(["market.match"], { role: "moderator" });
    const staffSearch = await searcher({ region: "Luna" }, {}, staff);
    const all = [player, asksWhere, staffSearch];
    const reached = async (rule: object | null) => {
      await see(rule);
      await changeSearches(site.server, { lastPushAt: null, lastMatchAt: null });
      const before = all.map((one) => one.told());
      openShop([goods({ name: "dagger" })]);
      await settled();
      const told = all.map((one, at) => one.told() - (before[at] ?? 0));
      const matches = await Promise.all(all.map((one) => one.lastMatch()));
      // A match that is not sent must not be shown in the list of searches either.
      expect(matches.map((match) => Number(match !== null))).toEqual(told);
      return told;
    };
    expect(await reached(null)).toEqual([1, 1, 1]);
    expect(await reached({ fieldRules: { location: "staff" } })).toEqual([1, 0, 1]);
    expect(await reached({ audience: "staff" })).toEqual([0, 0, 1]);
    expect(await reached({ enabled: false })).toEqual([0, 0, 0]);
    await see(null);
  });

  it("gets no message if the search is removed or disabled before the message is dispatched", async () => {
    const removed = await searcher({ q: "kryss" });
    const off = await searcher({ q: "kryss" });
    const kept = await searcher({ q: "kryss" });
    const announced = ({ id, user }: Awaited<ReturnType<typeof searcher>>) =>
      buildPush(site.server, { stream: "market.match", ref: String(id), userId: user.userId });
    const waiting = await Promise.all([removed, off, kept].map(announced));
    await ask(removed.user, `DELETE /${removed.id}`);
    await ask(off.user, `PUT /${off.id}`, { enabled: false });
    for (const { id: pushId } of waiting) {
      await site.server.context.queue.enqueue("push.dispatch", { pushId });
    }
    await site.settled();
    expect([removed, off, kept].map((one) => one.told())).toEqual([0, 0, 1]);
  });
});

const names = ["katana", "Yew Bow", "𝔉ire ƒ", "a", null] as const;
const nameOf = fc.constantFrom(...names).map((name) => name?.toLowerCase() ?? null);
const priceOf = fc.integer({ min: 1, max: 6 });
const placeOf = fc.constantFrom("A", "B", null);

const anyChange: fc.Arbitrary<ChangedListing> = fc.record({
  itemId: fc.integer({ min: 1, max: 2 }),
  searchName: nameOf,
  map: placeOf,
  region: placeOf,
  price: priceOf,
  formerPrice: fc.option(priceOf),
  formerName: nameOf,
  ownerId: fc.option(fc.integer({ min: 1, max: 3 })),
});

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyQuery = fc.record({
  q: optional(fc.constantFrom("kat", "tana", "bow", "w b", "𝔉", "a", "zz", "yew bow")),
  itemId: optional(fc.integer({ min: 1, max: 2 })),
  map: optional(fc.constantFrom("A", "B")),
  region: optional(fc.constantFrom("A", "B")),
  minPrice: optional(fc.integer({ min: 0, max: 7 })),
  maxPrice: optional(fc.integer({ min: 0, max: 7 })),
});

describe("more changed listings than one batch holds", () => {
  it("are all matched by one job, even if some changed more than once", async () => {
    const ended = ["completed", "cancelled", "failed"];
    await waitUntil("nothing else is matched", async () => {
      const jobs = await jobsOf(site.server, "market.match");
      return jobs.every(({ state }) => ended.includes(state));
    });
    await worker.stop();
    await query(
      site.server,
      `insert into listing_news (vendor_serial, serial)
       select 1, greatest(n, 2) from generate_series(1, 2001) n order by n`,
    );
    await matchListings(site.server.context, new AbortController().signal);
    expect(await query(site.server, "select count(*)::integer as left from listing_news")).toEqual([
      { left: 0 },
    ]);
    worker = await startTestWorker(site.server, ["push"]);
  });
});

describe("the matching of a batch", () => {
  it("finds the same matches as comparing each listing with each search", () => {
    fc.assert(
      fc.property(
        fc.array(anyChange, { maxLength: 12 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 8 }),
        (changes, queries) => {
          const index = new ChangedListingIndex(changes);
          const terms = new Set(index.terms);
          for (const [at, wanted] of queries.entries()) {
            const { minPrice = 1, maxPrice = Infinity } = wanted;
            const text = wanted.q?.toLowerCase();
            const isNamed = (name: string | null) =>
              text === undefined || (name?.includes(text) ?? false);
            const inRange = (price: number) => price >= minPrice && price <= maxPrice;
            const userId = (at % 4) + 1;
            const expected = changes.some(
              (one) =>
                one.ownerId !== userId &&
                (wanted.itemId ?? one.itemId) === one.itemId &&
                (wanted.map ?? one.map) === one.map &&
                (wanted.region ?? one.region) === one.region &&
                isNamed(one.searchName) &&
                inRange(one.price) &&
                !(one.formerPrice !== null && inRange(one.formerPrice) && isNamed(one.formerName)),
            );
            const term = rarestTermOf(wanted);
            const search = { id: at, userId, query: wanted };
            expect([wanted, terms.has(term) && index.matches(search)]).toEqual([wanted, expected]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  /** Creates changed listings of one item by different sellers, and counts the reads of their fields. */
  function lookedAt(count: number) {
    const looks = { count: 0 };
    const look = <T>(value: T): T => {
      looks.count += 1;
      return value;
    };
    const changes = makeList(count, (at): ChangedListing => ({
      map: null,
      region: null,
      price: at + 1,
      formerPrice: null,
      formerName: null,
      get itemId() {
        return look(1);
      },
      get searchName() {
        return look(`of ${String.fromCodePoint(0x4e00 + at)}`);
      },
      get ownerId() {
        return look(at + 1);
      },
    }));
    return { looks, index: new ChangedListingIndex(changes) };
  }

  it("does not compare each listing again for users who search for goods that they sell themselves", () => {
    const { looks, index } = lookedAt(200);
    const matched = makeList(200, (at) => {
      const own = { itemId: 1, minPrice: at + 1, maxPrice: at + 1 };
      return [at + 1, at + 2].map((userId) => index.matches({ id: at, userId, query: own }));
    });
    expect(matched).toEqual(makeList(200, () => [false, true]));
    expect(looks.count).toBeLessThan(2_000);
  });

  it("compares few listings for many searches of one item with different names", () => {
    const { looks, index } = lookedAt(200);
    const named = (at: number) => ({ itemId: 1, q: String.fromCodePoint(0x4e00 + at) });
    const matched = makeList(201, (at) => index.matches({ id: at, userId: 999, query: named(at) }));
    expect(matched).toEqual([...makeList(200, () => true), false]);
    expect(looks.count).toBeLessThan(2_000);
  });
});
