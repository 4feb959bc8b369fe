import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { samples } from "./samples.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
let maple: SignedIn;
let nobody: SignedIn;

const linkedAt = new Date("2026-01-02T03:04:05.000Z");
const house = { ...samples["house.upsert"] };
const player = (serial: string, name: string, acct: string) => ({
  serial,
  name,
  acct,
  map: "Malas",
  x: 990,
  y: 527,
  z: -50,
  region: "Luna",
});
const audit = (command: string) => ({
  kind: "admin.audit",
  payload: { ...samples["admin.audit"], command, secretOfAPlugin: "acct" },
});

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  maple = await signIn(server);
  nobody = await signIn(server);
  const link = { account: "Maple", accountKey: "maple", userId: maple.userId, linkedAt };
  await server.context.models.ShardLink.create(link);
  await ingestTestEvents(server.context, [
    { kind: "house.upsert", payload: { ...house, serial: "0x40000001", name: "beta" } },
    { kind: "house.upsert", payload: { ...house, serial: "0x40000002", name: null, coOwners: 3 } },
    { kind: "house.upsert", payload: { serial: "0x40000003", stage: "Ageless", name: "Alpha" } },
    { kind: "vendor.sale", payload: { ...samples["vendor.sale"], ownerAcct: "maple" } },
    {
      kind: "guild.upsert",
      payload: {
        guildId: 7,
        name: "The <Iron> Hand",
        abbr: "TIH",
        type: "Regular",
        memberCount: 1,
        leader: { serial: "0x0000A001", name: "D'Artagnan", acct: "MAPLE" },
      },
    },
    {
      kind: "governor.upsert",
      payload: { city: "Yew", governor: { serial: "0x0000A001", name: "D", acct: "maple" } },
    },
    {
      kind: "governor.upsert",
      payload: { city: "Britain", governor: { serial: "0x0000A001", name: "D", acct: "maple" } },
    },
    { kind: "governor.upsert", payload: { city: "Minoc", governor: null } },
    {
      kind: "presence.online",
      payload: {
        count: 2,
        byMap: { Malas: 2 },
        byRegion: {},
        players: [player("0x0000A001", "D'Artagnan", "maple"), player("0x0000A002", "X", "oak")],
      },
    },
    audit("first"),
    audit("second"),
  ]);
});
afterAll(() => server.stop());

const get = async (who: SignedIn, path: string) => {
  const { status, body } = await callRoute(server, `GET ${path}`, { headers: who.headers });
  return { status, body };
};
const iso = (ms: number | null | undefined) => new Date(ms ?? 0).toISOString();

const wholeHouse = (serial: string, name: string | null) => ({
  ...house,
  serial,
  name,
  builtOn: iso(house.builtOn),
  lastRefreshed: iso(house.lastRefreshed),
  nextStageAt: iso(house.nextStageAt),
  isIdoc: false,
  updatedAt: anyTime,
});
const bareHouse = {
  serial: "0x40000003",
  stage: "Ageless",
  map: null,
  x: null,
  y: null,
  z: null,
  region: null,
  name: "Alpha",
  type: null,
  ownerSerial: null,
  ownerAcct: null,
  price: null,
  public: null,
  coOwners: null,
  decayType: null,
  builtOn: null,
  lastRefreshed: null,
  lastTraded: null,
  nextStageAt: null,
  isIdoc: false,
  updatedAt: anyTime,
};

describe("GET /admin/shard/houses", () => {
  it("shows an administrator every field of every house, ordered by name", async () => {
    expect(await get(admin, "/admin/shard/houses")).toEqual({
      status: 200,
      body: [
        bareHouse,
        wholeHouse("0x40000001", "beta"),
        { ...wholeHouse("0x40000002", null), coOwners: 3 },
      ],
    });
  });

  it("hides the owners' game accounts from a moderator", async () => {
    const { status, body } = await get(moderator, "/admin/shard/houses");
    expect([status, body]).toEqual([
      200,
      [
        bareHouse,
        { ...wholeHouse("0x40000001", "beta"), ownerAcct: null },
        { ...wholeHouse("0x40000002", null), coOwners: 3, ownerAcct: null },
      ],
    ]);
  });
});

describe("GET /admin/shard/audit", () => {
  const event = (payload: object) => ({
    id: expect.any(Number),
    kind: "admin.audit",
    t: 1_764_200_000_000,
    bootId: expect.any(String),
    payload,
    createdAt: anyTime,
  });
  const sample = samples["admin.audit"];

  it("shows an administrator all fields of the events, newest first", async () => {
    const whole = (command: string) => event({ ...sample, command, secretOfAPlugin: "acct" });
    expect(await get(admin, "/admin/shard/audit")).toEqual({
      status: 200,
      body: [whole("second"), whole("first")],
    });
  });

  it("hides accounts and undeclared fields from a moderator", async () => {
    const { acct: _, ...actor } = sample.actor;
    expect(await get(moderator, "/admin/shard/audit?limit=1")).toEqual({
      status: 200,
      body: [event({ ...sample, actor, command: "second" })],
    });
  });

  it.each(["0", "501", "1.5", "x"])("answers 400 to the limit %s", async (limit) => {
    const { status, body } = await get(moderator, `/admin/shard/audit?limit=${limit}`);
    expect([status, body]).toMatchObject([400, { errors: [{ path: "limit" }] }]);
  });
});

describe("/admin/users/:id/shard", () => {
  const of = (who: { userId: number | string }, what: string) =>
    get(admin, `/admin/users/${who.userId}/shard/${what}`);

  it("shows a user's accounts, houses, characters, sales and offices", async () => {
    const { item, price, commission } = samples["vendor.sale"];
    const { acct: _, region: __, ...online } = player("0x0000A001", "D'Artagnan", "maple");
    const told = {
      accounts: [{ account: "Maple", linkedAt: linkedAt.toISOString() }],
      houses: [
        wholeHouse("0x40000001", "beta"),
        { ...wholeHouse("0x40000002", null), coOwners: 3 },
      ],
      online: [online],
      sales: [
        {
          t: 1_764_200_000_000,
          itemType: item.itemType,
          amount: item.amount,
          price,
          commission: commission ?? null,
          ownerAcct: "maple",
        },
      ],
      standing: {
        governorOf: ["Britain", "Yew"],
        guildsLed: [{ guildId: 7, name: "The Hand", abbr: "TIH" }],
      },
    };
    for (const [what, body] of Object.entries(told)) {
      expect([what, await of(maple, what)]).toEqual([what, { status: 200, body }]);
    }
  });

  it.each(["accounts", "houses", "online", "sales"])(
    "answers an empty list of %s for a user who has none",
    async (what) => {
      expect(await of(nobody, what)).toEqual({ status: 200, body: [] });
    },
  );

  it("answers empty offices for a user without an office", async () => {
    const body = { governorOf: [], guildsLed: [] };
    expect(await of(nobody, "standing")).toEqual({ status: 200, body });
  });

  it.each(["accounts", "houses", "online", "sales", "standing"])(
    "answers 404 for %s of an unknown user, and 400 for an invalid id",
    async (what) => {
      const unknown = await of({ userId: 999_999 }, what);
      expect(unknown).toEqual({ status: 404, body: { error: "Unknown user" } });
      expect((await of({ userId: "x" }, what)).status).toBe(400);
    },
  );
});
