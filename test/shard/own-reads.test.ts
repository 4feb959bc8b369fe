import { literal } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startCallServer } from "../bridge/call-server.ts";
import { characterSheet, rosterRow } from "../simulator/world/sheet.ts";
import { ownVendorRow } from "../simulator/world/vendors.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { linkSimulator } from "../support/shard/ingest.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { samples } from "./samples.ts";

const a = "maple";
const b = "O'Neil_77";
const linkedAt = "2026-01-02T03:04:05.000Z";

let shard: LinkedShard;
const people = new Map<string, SignedIn>();

const sale = (ownerAcct: string, price: number) => ({
  kind: "vendor.sale",
  payload: { ...samples["vendor.sale"], ownerAcct, price },
});
const house = (serial: string, ownerAcct: string | null, stage: string, name: string | null) => ({
  kind: "house.upsert",
  payload: { ...samples["house.upsert"], serial, ownerAcct, stage, name },
});

beforeAll(async () => {
  shard = await startLinkedShard();
  people.set("a", await signIn(shard.server));
  people.set("b", await signIn(shard.server));
  people.set("unlinked", await signIn(shard.server));
  people.set("moderator", await signIn(shard.server, { role: "moderator" }));
  people.set("admin", await signIn(shard.server, { role: "admin" }));
  await shard.link(who("a"), a);
  await shard.link(who("b"), b);
  await ingestTestEvents(shard.server.context, [
    sale("MAPLE", 10),
    sale(b, 20),
    sale("nobody", 30),
    house("0x40000001", "Maple", "LikeNew", "Zeta"),
    house("0x40000002", "maple", "IDOC", "Omega"),
    house("0x40000003", "maple", "LikeNew", "alpha"),
    house("0x40000004", b, "Greatly", "Beta"),
    house("0x40000005", null, "Ageless", null),
  ]);
});
afterAll(() => shard.stop());

function who(name: string): SignedIn {
  const person = people.get(name);
  if (!person) throw new Error(`nobody is called ${name}`);
  return person;
}

const get = async (name: string, path: string) => {
  const { status, body } = await shard.as(who(name), `GET ${path}`);
  return { status, body };
};
const iso = (ms: unknown) => (typeof ms === "number" ? new Date(ms).toISOString() : null);

const sheetOf = (account: string) => ({
  status: 200,
  body: characterSheet(shard.character(account), shard.simulator.world),
});
const rosterOf = (account: string) => ({
  status: 200,
  body: {
    account,
    characters: shard.account(account).characters.map((one) => {
      const row = rosterRow(one, shard.simulator.world);
      return { ...row, lastLogin: iso(row["lastLogin"]) };
    }),
  },
});
const vendorsOf = (account: string) => ({
  status: 200,
  body: {
    account,
    vendors: shard.simulator.world.vendors
      .values()
      .filter(({ owner }) => owner?.account.name === account)
      .map(ownVendorRow),
  },
});
const foreign = (what: string) => ({
  status: 403,
  body: { error: `This ${what} is not linked to you` },
});
const unknownSerial = "0x3FFFFFFF";

describe.each(["/player/shard", "/admin/shard"])(
  "the reads of game accounts under %s",
  (prefix) => {
    const anyone = prefix === "/admin/shard" ? ["admin"] : [];
    const cases = ["a", "b", "unlinked", "moderator", "admin"].flatMap((name) =>
      [a, b].map((account) => {
        const mayRead = (name === "a" && account === a) || (name === "b" && account === b);
        return [name, account, mayRead || anyone.includes(name)] as const;
      }),
    );

    it.each(cases)(
      "give %s the data of account %s only if permitted (permitted: %s)",
      async (name, account, mayRead) => {
        const { serial } = shard.character(account);
        const encoded = encodeURIComponent(account);
        expect(await get(name, `${prefix}/char/${serial}`)).toEqual(
          mayRead ? sheetOf(account) : foreign("character"),
        );
        expect(await get(name, `${prefix}/roster/${encoded}`)).toEqual(
          mayRead ? rosterOf(account) : foreign("account"),
        );
        expect(await get(name, `${prefix}/vendors/${encoded.toUpperCase()}`)).toEqual(
          mayRead ? vendorsOf(account) : foreign("account"),
        );
      },
    );

    it.each(["a", "b", "unlinked", "moderator"])(
      "answer %s 403 for a character that does not exist, as for another user's character",
      async (name) => {
        expect(await get(name, `${prefix}/char/${unknownSerial}`)).toEqual(foreign("character"));
      },
    );

    it.each(["0", "x", "0x", "0x0", "0x80000000", "0x123456789"])(
      "answer 400 to the serial %s",
      async (serial) => {
        for (const name of people.keys()) {
          const { status, body } = await get(name, `${prefix}/char/${serial}`);
          expect([name, status]).toEqual([name, 400]);
          expect(body).toEqual({
            error: "Validation failed",
            errors: [{ path: "serial", message: "serial must be a serial such as 0x40001A2B" }],
          });
        }
      },
    );

    it("accept a serial in any spelling", async () => {
      const digits = shard.character(a).serial.slice(2).replace(/^0+/, "").toLowerCase();
      expect(await get("a", `${prefix}/char/0x${digits}`)).toEqual(sheetOf(a));
    });

    it.each([
      ["a", [10]],
      ["b", [20]],
      ["unlinked", []],
      ["moderator", []],
      ["admin", []],
    ])("show %s only the sales of their own vendors", async (name, prices) => {
      const { item } = samples["vendor.sale"];
      expect(await get(name, `${prefix}/sales`)).toEqual({
        status: 200,
        body: prices.map((price) => ({
          t: 1_764_200_000_000,
          itemType: item.itemType,
          amount: item.amount,
          price,
          commission: samples["vendor.sale"].commission ?? null,
          ownerAcct: price === 10 ? "MAPLE" : b,
        })),
      });
    });

    it.each([0, 501, "x"])("answer 400 to the limit %s of sales", async (limit) => {
      expect((await get("a", `${prefix}/sales?limit=${limit}`)).status).toBe(400);
    });
  },
);

describe("a list for the caller", () => {
  const own = (account: string) => ({ account, linkedAt });

  it.each([
    ["a", [own(a)]],
    ["b", [own(b)]],
    ["unlinked", []],
    ["moderator", []],
    ["admin", []],
  ])(
    "contains, for %s under the player path, only the caller's own accounts",
    async (name, links) => {
      expect(await get(name, "/player/shard/accounts")).toEqual({ status: 200, body: links });
    },
  );

  it.each([
    ["a", [own(a)]],
    ["moderator", []],
    ["admin", [own(a), own(b)]],
  ])(
    "contains, for %s under the staff path, all accounts only if the caller is an admin",
    async (name, links) => {
      expect(await get(name, "/admin/shard/accounts")).toEqual({ status: 200, body: links });
    },
  );

  it.each([
    ["a", ["0x40000002", "0x40000003", "0x40000001"]],
    ["b", ["0x40000004"]],
    ["unlinked", []],
    ["moderator", []],
    ["admin", []],
  ])(
    "contains, for %s, the caller's own houses, those in danger of collapse first",
    async (name, serials) => {
      const { status, body } = await get(name, "/player/shard/houses");
      expect(status).toBe(200);
      expect((body as { serial: string }[]).map(({ serial }) => serial)).toEqual(serials);
    },
  );

  it("shows the owner every field of a house", async () => {
    const { body } = await get("b", "/player/shard/houses");
    const { builtOn, lastRefreshed, nextStageAt, ...rest } = samples["house.upsert"];
    expect(body).toEqual([
      {
        ...rest,
        serial: "0x40000004",
        ownerAcct: b,
        stage: "Greatly",
        name: "Beta",
        builtOn: iso(builtOn),
        lastRefreshed: iso(lastRefreshed),
        lastTraded: null,
        nextStageAt: iso(nextStageAt),
        isIdoc: false,
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("contains sales newest first, and no more than the limit", async () => {
    const context = shard.server.context;
    const sales = { where: { kind: "vendor.sale" } };
    await context.models.ShardEvent.update({ t: literal("t - id") }, sales);
    await ingestTestEvents(context, [sale(b, 21), sale(b, 22)]);
    const { body } = await get("b", "/player/shard/sales?limit=2");
    expect((body as { price: number }[]).map(({ price }) => price)).toEqual([22, 21]);
  });
});

describe("the owner of a character", () => {
  const calls = () => shard.simulator.received.calls.length;

  it("is cached after a read, so that a refused read of the character makes no call", async () => {
    await get("a", `/player/shard/char/${shard.character(a).serial}`);
    await get("b", `/player/shard/char/${shard.character(b).serial}`);
    const before = calls();
    expect(await get("a", `/player/shard/char/${shard.character(b).serial}`)).toEqual(
      foreign("character"),
    );
    expect(await get("b", `/player/shard/roster/${a}`)).toEqual(foreign("account"));
    expect(calls()).toBe(before);
  });

  it("is not requested for a caller without an account", async () => {
    const before = calls();
    await get("unlinked", `/player/shard/char/${unknownSerial}`);
    expect(calls()).toBe(before);
  });

  it("is forgotten at once when the account is unlinked", async () => {
    const { models } = shard.server.context;
    await models.ShardLink.destroy({ where: { accountKey: b.toLowerCase() } });
    const path = `/player/shard/char/${shard.character(b).serial}`;
    expect(await get("b", path)).toEqual(foreign("character"));
    await shard.link(who("b"), b);
    expect(await get("b", path)).toEqual(sheetOf(b));
  });

  it("is requested again after a restart of the game, which may reuse serials", async () => {
    const { models } = shard.server.context;
    const { world } = shard.simulator;
    const passed = shard.character(a);
    const path = `/player/shard/char/${passed.serial}`;
    const source = { where: { source: "shard" } };
    await models.IngestSource.update({ bootId: "boot 1" }, source);
    expect(await get("a", path)).toEqual(sheetOf(a));
    const another = { ...passed, account: shard.account(b) };
    world.characters.set(passed.serial, another);
    shard.account(a).characters.splice(0, 1);
    shard.account(b).characters.push(another);
    await models.IngestSource.update({ bootId: "boot 2" }, source);
    expect(await get("b", path)).toEqual({ status: 200, body: characterSheet(another, world) });
    expect(await get("a", path)).toEqual(foreign("character"));
    shard.account(b).characters.pop();
    shard.account(a).characters.unshift(passed);
    world.characters.set(passed.serial, passed);
    await models.IngestSource.update({ bootId: "boot 3" }, source);
  });

  it("is answered with 404 to an administrator if the shard does not have the character or account", async () => {
    expect(await get("admin", `/admin/shard/char/${unknownSerial}`)).toEqual({
      status: 404,
      body: { error: "Unknown character" },
    });
    expect((await get("admin", "/admin/shard/roster/nobody-at-all")).status).toBe(404);
    expect((await get("admin", "/admin/shard/vendors/nobody-at-all")).status).toBe(404);
  });
});

describe("a shard that answers with another account's data", () => {
  it("causes the answer 502, which shows no part of that data", overSidecar, async () => {
    const { context } = shard.server;
    const sidecar = await startCallServer();
    const { baseUrl } = sidecar;
    await linkSimulator({ baseUrl, wsUrl: shard.simulator.wsUrl, token: "t" }, context);
    await context.shard.reload();
    const own = shard.character(a).serial;
    sidecar.answer(({ url }) => {
      if (url.endsWith("/roster")) return { body: { account: b, characters: [] } };
      if (url.endsWith("/vendors")) return { body: vendorsOf(b).body };
      return { body: { ...sheetOf(b).body, account: a } };
    });
    const misunderstood = { error: "The game server's answer was not understood" };
    for (const path of [`roster/${a}`, `vendors/${a}`, `char/${own}`]) {
      expect(await get("a", `/player/shard/${path}`)).toEqual({ status: 502, body: misunderstood });
    }
    await sidecar.close();
  });
});
