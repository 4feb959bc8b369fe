import type { Transaction } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { renameAllLabels } from "../../shared/shard/market/labels.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { changeIngestSource, storeClilocs } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";

let server: TestServer;
const callers = new Map<Rung, SignedIn>();

const luna = { map: "Malas", x: 990, y: 527, z: -50, region: "Luna", house: "The Iron Mug" };

const smith = {
  vendor: {
    serial: "0x0000a001",
    shopName: "Smith & Sons",
    ownerSerial: "0x00000B01",
    ownerName: "Ann",
    ownerAcct: "canary-account",
    hidden: false,
    location: luna,
  },
  total: 9,
  truncated: true,
  items: [
    {
      serial: "0x40000001",
      itemId: 5119,
      hue: 0,
      amount: 1,
      price: 700,
      name: null,
      cliloc: 1_025_119,
      args: null,
      child: false,
    },
    {
      serial: "0x40000002",
      itemId: 3702,
      hue: 33,
      amount: 1,
      price: 250,
      name: "Bag of Ann's",
      cliloc: 1_023_702,
      args: null,
      child: false,
    },
    {
      serial: "0x40000003",
      itemId: 5360,
      hue: 0,
      amount: 1,
      price: 250,
      name: null,
      cliloc: 1_049_639,
      args: "#1044061",
      child: true,
    },
    {
      serial: "0x40000004",
      itemId: 5119,
      hue: 0,
      amount: 1,
      price: 0,
      name: null,
      cliloc: 1_025_119,
      args: null,
      child: false,
    },
    {
      serial: "0x40000005",
      itemId: 5119,
      hue: 0,
      amount: 1,
      price: -1,
      name: null,
      cliloc: 1_025_119,
      args: null,
      child: false,
    },
  ],
};

const tinker = {
  vendor: { serial: "0x0000A002", shopName: null, ownerSerial: null, ownerName: null },
  items: [{ serial: "0x40000010", itemId: 7, amount: 60_000, price: 175_000_000 }],
};

const hidden = {
  vendor: { serial: "0x0000A003", hidden: true, location: { map: "Felucca", region: "Yew" } },
  items: [{ serial: "0x40000020", itemId: 5119, amount: 1, price: 5, name: "a hidden sword" }],
};
const packedUp = {
  vendor: { serial: "0x0000A004", location: { map: "Internal" } },
  items: [{ serial: "0x40000021", itemId: 5119, amount: 1, price: 5, name: "a packed sword" }],
};

const smithy = {
  serial: "0x0000A001",
  shopName: "Smith & Sons",
  ownerSerial: "0x00000B01",
  ownerName: "Ann",
  location: luna,
  updatedAt: anyTime,
};
const bag = {
  serial: "0x40000002",
  itemId: 3702,
  hue: 33,
  amount: 1,
  price: 250,
  name: "Bag of Ann's",
  cliloc: 1_023_702,
  displayName: "Bag of Ann's",
  child: false,
  vendor: smithy,
};
const scroll = {
  ...bag,
  serial: "0x40000003",
  itemId: 5360,
  hue: 0,
  name: null,
  cliloc: 1_049_639,
  displayName: "a scroll of Archery",
  child: true,
};
const sword = {
  ...scroll,
  serial: "0x40000001",
  itemId: 5119,
  price: 700,
  cliloc: 1_025_119,
  displayName: "Katana",
  child: false,
};
const nameless = {
  serial: "0x40000010",
  itemId: 7,
  hue: 0,
  amount: 60_000,
  price: 175_000_000,
  name: null,
  cliloc: null,
  displayName: null,
  child: false,
  vendor: {
    serial: "0x0000A002",
    shopName: null,
    ownerSerial: null,
    ownerName: null,
    location: null,
    updatedAt: anyTime,
  },
};

const market = "/public/shard/market";
const get = (path: string, headers?: Readonly<Record<string, string>>) =>
  callRoute(server, `GET ${market}${path}`, { ...(headers && { headers }) });

const found = async (query: string): Promise<unknown> => (await get(query)).body;
const serialsFound = async (query: string): Promise<string[]> =>
  ((await found(query)) as { listings: { serial: string }[] }).listings.map(({ serial }) => serial);

async function show(change: object | null): Promise<void> {
  const { status } = await callRoute(server, "PUT /admin/shard/visibility", {
    body: { features: { market: change } },
    headers: callers.get("admin")?.headers ?? {},
  });
  expect(status).toBe(200);
}

beforeAll(async () => {
  server = await startTestServer({ environment: { RL_MARKET_MAX: "100000" } });
  const player = await signIn(server, { role: "player" });
  callers.set("logged_in", await signIn(server, { role: "player" }));
  callers.set("player", player);
  callers.set("staff", await signIn(server, { role: "moderator" }));
  callers.set("admin", await signIn(server, { role: "admin" }));
  await server.context.models.ShardLink.create({
    account: "Maple",
    accountKey: "maple",
    userId: player.userId,
    linkedAt: new Date(),
  });
});
afterAll(() => server.stop());

describe("a market without any events", () => {
  it("is empty and answers without an error", async () => {
    expect(await found("")).toEqual({
      listings: [],
      total: 0,
      limit: 50,
      offset: 0,
      vendors: 0,
      staleAt: null,
    });
    expect(await found("/meta")).toEqual({
      vendors: 0,
      items: 0,
      staleAt: null,
      freshAt: null,
      maps: [],
      regions: [],
    });
    const vendor = await get("/vendors/0xA001");
    expect([vendor.status, vendor.body]).toEqual([404, { error: "Unknown vendor" }]);
  });
});

describe("GET /public/shard/market", () => {
  beforeAll(async () => {
    await storeClilocs(server, {
      1025119: "Katana",
      1049639: "a scroll of ~1_SKILL~",
      1044061: "Archery",
    });
    const payloads = [smith, tinker, hidden, packedUp];
    await ingestTestEvents(
      server.context,
      payloads.map((payload) => ({ kind: "vendor.upsert", payload })),
    );
  });

  it("answers a page of listings, cheapest first, with the exact total", async () => {
    expect(await found("?limit=3")).toEqual({
      listings: [bag, scroll, sword],
      total: 4,
      limit: 3,
      offset: 0,
      vendors: 2,
      staleAt: anyTime,
    });
    expect(await found("?limit=3&offset=3")).toMatchObject({ listings: [nameless], total: 4 });
    expect(await found("?offset=9007199254740991")).toMatchObject({ listings: [], total: 4 });
  });

  it("finds any part of a name in any case, and treats wildcards literally", async () => {
    expect(await found("?q=KAT")).toMatchObject({ listings: [sword], total: 1 });
    expect(await found("?q=of%20a")).toMatchObject({ listings: [bag, scroll], total: 2 });
    expect(await found("?q=ann%27s")).toMatchObject({ listings: [bag], total: 1 });
    for (const wild of ["%25", "_", "a%25a", "%5C"]) {
      expect(await found(`?q=${wild}`)).toMatchObject({ listings: [], total: 0 });
    }
  });

  it("narrows the search by price, item, facet and region", async () => {
    expect(await serialsFound("?minPrice=250&maxPrice=700")).toHaveLength(3);
    expect(await serialsFound("?minPrice=251&maxPrice=99999999999")).toEqual([
      sword.serial,
      nameless.serial,
    ]);
    expect(await serialsFound("?itemId=5360")).toEqual([scroll.serial]);
    expect(await serialsFound("?map=Malas")).toHaveLength(3);
    expect(await serialsFound("?map=Malas&region=Luna&q=a&itemId=5119")).toEqual([sword.serial]);
  });

  it("answers an empty page if nothing can match", async () => {
    const impossible = ["?minPrice=2&maxPrice=1", "?map=Internal", "?map=Nowhere", "?region=Yew"];
    for (const query of [...impossible, "?map=Felucca", "?itemId=1", "?maxPrice=0"]) {
      expect(await found(query)).toMatchObject({ listings: [], total: 0, vendors: 2 });
    }
    expect(await found("?minPrice=99999999999")).toMatchObject({ listings: [], total: 0 });
  });

  it("sorts by price in either direction and by the last change, with ties by serial", async () => {
    expect(await serialsFound("?sort=price_desc")).toEqual([
      nameless.serial,
      sword.serial,
      bag.serial,
      scroll.serial,
    ]);
    const fewer = { ...tinker, items: tinker.items.map((item) => ({ ...item, amount: 59_999 })) };
    for (const payload of [smith, fewer, tinker]) {
      await ingestTestEvents(server.context, [{ kind: "vendor.upsert", payload }]);
    }
    expect(await serialsFound("?sort=recent")).toEqual([
      nameless.serial,
      sword.serial,
      bag.serial,
      scroll.serial,
    ]);
  });

  it("is served while the shard is down", async () => {
    const shown = await found("?limit=3");
    await changeIngestSource(server, { state: "error", pluginConnected: false });
    expect(await found("?limit=3")).toEqual(shown);
    expect(await found("/vendors/0xA001")).toMatchObject({ count: 3 });
    await changeIngestSource(server, { state: "connected", pluginConnected: true });
  });

  it("ignores empty fields of a form and unknown parameters", async () => {
    const empty = "?q=&minPrice=&maxPrice=&itemId=&map=&region=&colour=red";
    expect(await found(empty)).toMatchObject({ total: 4 });
  });

  it("answers 400 to a parameter out of bounds, and names the parameter", async () => {
    const faults = {
      [`q=${"x".repeat(61)}`]: "q",
      "minPrice=-1": "minPrice",
      "maxPrice=-5": "maxPrice",
      "maxPrice=1.5": "maxPrice",
      "itemId=sword": "itemId",
      "sort=cheapest": "sort",
      "limit=0": "limit",
      "limit=101": "limit",
      "offset=-1": "offset",
      "offset=1e300": "offset",
      "q=a&q=b": "q",
    };
    for (const [query, path] of Object.entries(faults)) {
      const { status, body } = await get(`?${query}`);
      expect({ query, status, body }).toEqual({
        query,
        status: 400,
        body: {
          error: "Validation failed",
          errors: [{ path, message: expect.stringContaining(path) }],
        },
      });
    }
  });

  it("answers 429 with Retry-After to an address that searches too often", async () => {
    const hasty = await startTestServer({
      database: server.database,
      environment: { RL_MARKET_MAX: "1" },
    });
    const first = await callRoute(hasty, `GET ${market}`);
    const second = await callRoute(hasty, `GET ${market}`);
    const third = await callRoute(hasty, `GET ${market}/meta`);
    await hasty.stop();
    expect([first.status, second.status, third.status]).toEqual([200, 429, 200]);
    expect(second.body).toEqual({ error: "Too many requests" });
    expect(second.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("GET /public/shard/market/meta", () => {
  it("counts only listed vendors", async () => {
    expect(await found("/meta")).toEqual({
      vendors: 2,
      items: 4,
      staleAt: anyTime,
      freshAt: anyTime,
      maps: ["Malas"],
      regions: ["Luna"],
    });
  });

  it("has a later staleAt once the vendor with the oldest update is updated again", async () => {
    await ingestTestEvents(server.context, [{ kind: "vendor.upsert", payload: tinker }]);
    await ingestTestEvents(server.context, [{ kind: "vendor.upsert", payload: smith }]);
    const before = (await found("/meta")) as { staleAt: string; freshAt: string };
    await ingestTestEvents(server.context, [{ kind: "vendor.upsert", payload: tinker }]);
    const after = (await found("/meta")) as { staleAt: string; freshAt: string };
    expect(Date.parse(after.staleAt)).toBeGreaterThan(Date.parse(before.staleAt));
    expect(Date.parse(after.freshAt)).toBeGreaterThan(Date.parse(before.freshAt));
  });
});

describe("GET /public/shard/market/vendors/:serial", () => {
  it("answers the vendor with everything that it sells, also from containers, cheapest first", async () => {
    expect(await found("/vendors/0xa001")).toEqual({
      ...smithy,
      count: 3,
      total: 9,
      truncated: true,
      items: [bag, scroll, sword],
    });
    expect(await found("/vendors/0x0000A002")).toEqual({
      ...nameless.vendor,
      count: 1,
      total: 1,
      truncated: false,
      items: [nameless],
    });
    expect(await found("/vendors/0xA001?limit=1&offset=1")).toMatchObject({
      count: 3,
      items: [scroll],
    });
  });

  it("returns at most 250 listings if no limit is given", async () => {
    const serial = "0x0000A00A";
    const items = Array.from({ length: 251 }, (_, at) => ({
      serial: `0x${(0x40001000 + at).toString(16)}`,
      itemId: 7,
      amount: 1,
      price: at + 1,
    }));
    await ingestTestEvents(server.context, [
      { kind: "vendor.upsert", payload: { vendor: { serial }, items } },
    ]);
    const shownOf = async (query: string) => {
      const { count, items: page } = (await found(`/vendors/${serial}${query}`)) as {
        count: number;
        items: object[];
      };
      return [count, page.length];
    };
    expect(await shownOf("")).toEqual([251, 250]);
    expect(await shownOf("?limit=500")).toEqual([251, 251]);
    await ingestTestEvents(server.context, [{ kind: "vendor.removed", payload: { serial } }]);
  });

  it("answers 404 for a vendor that is unknown, hidden, packed up or dismissed", async () => {
    await ingestTestEvents(server.context, [
      { kind: "vendor.upsert", payload: { ...tinker, vendor: { serial: "0x0000A009" } } },
      { kind: "vendor.removed", payload: { serial: "0x0000A009" } },
    ]);
    for (const serial of ["0x0000A003", "0x0000A004", "0x0000A009", "0x7FFFFFFF"]) {
      const { status, body } = await get(`/vendors/${serial}`);
      expect([status, body]).toEqual([404, { error: "Unknown vendor" }]);
    }
  });

  it("answers 400 for an invalid serial and for a page out of bounds", async () => {
    for (const serial of ["41985", "0x0", "0xFFFFFFFF", "0x123456789", "0xZZ", "x"]) {
      const { status, body } = await get(`/vendors/${serial}`);
      expect([status, body]).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [{ path: "serial", message: "serial must be a serial such as 0x40001A2B" }],
        },
      ]);
    }
    for (const query of ["limit=0", "limit=501", "offset=-1"]) {
      expect((await get(`/vendors/0xA001?${query}`)).status).toBe(400);
    }
  });
});

describe("the market's visibility", () => {
  const paths = ["", "/meta", "/vendors/0xA001"];
  const headersOf = (rung: Rung) => callers.get(rung)?.headers;

  it("admits callers at or above the access level of the audience, for each audience", async () => {
    for (const [needed, audience] of audienceLadder.entries()) {
      await show({ audience });
      for (const [stands, rung] of audienceLadder.entries()) {
        for (const path of paths) {
          const { status, body } = await get(path, headersOf(rung));
          expect([audience, rung, path, status]).toEqual([
            audience,
            rung,
            path,
            stands >= needed ? 200 : 403,
          ]);
          expect(stands >= needed || body).toEqual(stands >= needed || { error: "Forbidden" });
        }
      }
    }
    await show({ enabled: false });
    const disabled = await Promise.all(paths.map((path) => get(path, headersOf("admin"))));
    await show(null);
    expect(disabled.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it("leaves a gated field out of every answer below its access level", async () => {
    for (const field of ["ownerSerial", "ownerName", "location"]) {
      for (const [needed, rule] of audienceLadder.entries()) {
        await show(null);
        await show({ fieldRules: { [field]: rule } });
        const below = Object.entries(smithy).filter(([name]) => name !== field);
        for (const [stands, rung] of audienceLadder.entries()) {
          const vendor = stands < needed ? Object.fromEntries(below) : smithy;
          expect(await shownTo(rung)).toEqual({
            listings: [{ ...sword, vendor }],
            one: { ...vendor, count: 3, total: 9, truncated: true, items: [{ ...bag, vendor }] },
          });
        }
      }
    }
    await show(null);
  });

  async function shownTo(rung: Rung): Promise<object> {
    const { body: page } = await get("?q=katana", headersOf(rung));
    const { body: one } = await get("/vendors/0xA001?limit=1", headersOf(rung));
    return { listings: (page as { listings: object[] }).listings, one };
  }

  it("refuses filters by location to callers who may not see locations", async () => {
    await show({ fieldRules: { location: "staff" } });
    for (const query of ["?map=Malas", "?region=Luna", "?map=Nowhere"]) {
      const { status, body } = await get(query, headersOf("player"));
      expect([status, body]).toEqual([
        403,
        { error: "map and region require the right to see where vendors stand" },
      ]);
    }
    const { body: told } = await get("/meta", headersOf("player"));
    expect(told).toEqual({ vendors: 2, items: 4, staleAt: anyTime, freshAt: anyTime });
    expect((await get("?map=Malas", headersOf("staff"))).body).toMatchObject({ total: 3 });
    expect((await get("/meta", headersOf("staff"))).body).toMatchObject({ maps: ["Malas"] });
    await show(null);
  });

  it("hides account names, even from admins", async () => {
    for (const path of paths) {
      const { status, text } = await get(path, headersOf("admin"));
      expect([status, text.includes("canary-account")]).toEqual([200, false]);
    }
  });
});

describe("listing names without a cliloc table", () => {
  it("are null until a table is loaded, unless the listing has a literal name", async () => {
    const { sequelize, models } = server.context;
    const reload = (load: (transaction: Transaction) => Promise<unknown>) =>
      inTransaction(sequelize, async (transaction) => {
        await load(transaction);
        await renameAllLabels(transaction);
      });
    const texts = await models.Cliloc.findAll({ raw: true });
    await reload((transaction) => models.Cliloc.truncate({ transaction }));
    expect(await found("?itemId=5119")).toMatchObject({
      listings: [{ ...sword, displayName: null }],
    });
    expect(await found("?q=katana")).toMatchObject({ listings: [], total: 0 });
    expect(await found("?q=bag")).toMatchObject({ listings: [bag], total: 1 });
    await reload((transaction) => models.Cliloc.bulkCreate(texts, { transaction }));
    expect(await found("?q=katana")).toMatchObject({ listings: [sword], total: 1 });
  });
});

describe("a vendor event that ingest stores", () => {
  it("is not streamed if it changed nothing, and its vendor is not removed by a snapshot that began earlier", async () => {
    const upserts = { kind: "vendor.upsert" };
    const stored = async () =>
      (await storedRows(server.context.models.ShardEvent, ["reach"], upserts)).at(-1)?.reach;
    await ingestTestEvents(server.context, [
      { kind: "vendor.upsert", payload: { ...smith, items: smith.items.toReversed() } },
    ]);
    expect(await stored()).toBe("none");
    await ingestTestEvents(server.context, [
      { kind: "vendor.upsert", payload: { ...smith, total: 10 } },
    ]);
    expect(await stored()).toBe("staff");
    await ingestTestEvents(server.context, [
      { kind: "market.snapshot.begin", payload: { snapshotId: "one", pages: 2, count: 2 } },
      { kind: "market.snapshot.page", payload: { snapshotId: "one", page: 1, rows: [smith] } },
      { kind: "vendor.upsert", payload: { ...tinker, total: 3 } },
      { kind: "market.snapshot.page", payload: { snapshotId: "one", page: 2, rows: [hidden] } },
      { kind: "market.snapshot.end", payload: { snapshotId: "one" } },
    ]);
    expect(await found("/vendors/0xA001")).toMatchObject({ total: 9 });
    expect(await found("/vendors/0xA002")).toMatchObject({ total: 3 });
    expect((await get("/vendors/0xA003")).status).toBe(404);
  });
});
