import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { createGameAccount } from "../../shared/shard/links/game-accounts.ts";
import { callerOf, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { retryAfter } from "../support/http/call.ts";
import { waitUntilPluginsCall } from "../support/plugin/plugin-link.ts";
import {
  findReceivedCommands,
  impatient,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard({
    server: { shard: impatient, environment: { RL_GAME_ACCOUNT_MAX: "3", TRUST_PROXY: "1" } },
  });
  admin = await signIn(shard.server, { role: "admin" });
});
afterEach(() => shard.simulator.faults.clear());
afterAll(() => shard.stop());

const setSignup = (game_account_signup: boolean) =>
  shard.as(admin, "PUT /admin/settings", { body: { game_account_signup } });

let addresses = 0;
const anAddress = (): string => `198.51.100.${++addresses}`;

interface Attempt {
  readonly account?: unknown;
  readonly password?: unknown;
  readonly from?: string;
  readonly path?: string;
  readonly key?: string;
}

const password = "Tr0ub4dor & three";

function create(who: SignedIn | null, attempt: Attempt) {
  const { account, from = anAddress(), path = "/player/shard/account", key } = attempt;
  const headers = { "x-forwarded-for": from, ...(key && { "idempotency-key": key }) };
  const given = "password" in attempt ? attempt.password : password;
  return shard.as(who, `POST ${path}`, { headers, body: { account, password: given } });
}
const linksOf = async (who: SignedIn) =>
  (await shard.as(who, "GET /player/shard/accounts")).body as { account: string }[];

describe("creating a game account", () => {
  it("answers 403 while the site takes no sign-ups, before it validates the fields", async () => {
    const player = await signIn(shard.server);
    const { status, body } = await create(player, { account: "" });
    expect([status, body]).toEqual([403, { error: "Game account signup is unavailable" }]);
    expect(findReceivedCommands(shard, "/v1/accounts")).toEqual([]);
    await setSignup(true);
  });

  it.each(["/player/shard/account", "/admin/shard/account"])(
    "creates the account on the shard and links it to the caller, who is signed in by %s",
    async (path) => {
      const player = await signIn(shard.server);
      const account = `made-by.${path.length}`;
      const { status, body } = await create(player, { account, path, from: "198.51.100.200" });
      expect([status, body]).toEqual([201, { account, linked: true }]);
      expect(findReceivedCommands(shard, "/v1/accounts").at(-1)).toMatchObject({
        actor: { userId: player.userId, username: player.username, role: "player" },
        body: { account, password, ip: "198.51.100.200" },
        carriedOut: true,
      });
      expect(await linksOf(player)).toEqual([{ account, linkedAt: expect.stringMatching(/Z$/) }]);
      expect((await shard.logged("shard.account")).at(-1)).toEqual({
        actorId: player.userId,
        target: `user ${player.userId}`,
        detail: { account, linked: true, outcome: "done" },
      });
    },
  );

  it("answers 403 while the shard takes no sign-ups from the site, and 409 for a taken name", async () => {
    const player = await signIn(shard.server);
    for (const mode of ["disabled", "game"]) {
      shard.simulator.faults.trigger("signupMode", { mode });
      const { status, body } = await create(player, { account: "closed" });
      expect([status, body]).toEqual([
        403,
        { error: "The game server does not accept sign-ups from the site" },
      ]);
    }
    shard.simulator.faults.trigger("signupMode", { mode: "website" });
    const { status, body } = await create(player, { account: "MAPLE" });
    expect([status, body]).toEqual([409, { error: "Account name is taken" }]);
    expect(await linksOf(player)).toEqual([]);
  });

  it.each([
    ["account", "", "account is not allowed to be empty"],
    [
      "account",
      "two words",
      "account must consist of ASCII letters, digits and punctuation without spaces",
    ],
    [
      "account",
      "Ærith",
      "account must consist of ASCII letters, digits and punctuation without spaces",
    ],
    ["account", "a*b", 'account must not contain any of < > : " / \\ | ? *'],
    ["account", "dot.", "account must not end with a dot"],
    ["account", "x".repeat(31), "account length must be less than or equal to 30 characters long"],
    ["account", 7, "account must be a string"],
    ["account", undefined, "account is required"],
    ["password", "", "password is not allowed to be empty"],
    [
      "password",
      "pässword",
      "password must consist of ASCII letters, digits, punctuation and spaces",
    ],
    [
      "password",
      "x".repeat(31),
      "password length must be less than or equal to 30 characters long",
    ],
    ["password", null, "password must be a string"],
    ["password", undefined, "password is required"],
  ])("refuses the %s %j as the game does", async (field, value, message) => {
    const player = await signIn(shard.server);
    const before = shard.simulator.received.calls.length;
    const { status, body } = await create(player, { account: "fine", [field]: value });
    expect([status, body]).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: field, message }] },
    ]);
    expect(shard.simulator.received.calls.length).toBe(before);
  });

  it("names the field that the shard rejects", async () => {
    const { context } = shard.server;
    const player = await signIn(shard.server);
    const request = { account: "x".repeat(31), password };
    const order = { caller: await callerOf(shard.server, player), requestId: "r" };
    const refused = createGameAccount(request, { ...order, address: "198.51.100.203" }, context);
    await expect(refused).rejects.toMatchObject({
      kind: "invalid",
      message: "Validation failed",
      faults: [{ path: "account", message: "must have 1 to 30 characters" }],
    });
  });

  it("is never retried by the service, and happens once per idempotency key of the client", async () => {
    const player = await signIn(shard.server);
    shard.simulator.faults.trigger("hang", { path: "/v1/accounts", carryOut: true });
    const attempt = { account: "hung", key: "k", from: "198.51.100.201" };
    const sent = () =>
      findReceivedCommands(shard, "/v1/accounts").filter(
        ({ body }) => (body as { account: string }).account === "hung",
      );
    const lost = await create(player, attempt);
    expect([lost.status, lost.headers.get("retry-after"), sent().length]).toEqual([503, "10", 1]);
    const { status, body } = await create(player, attempt);
    expect([status, body]).toEqual([201, { account: "hung", linked: true }]);
    expect(sent().map(({ carriedOut }) => carriedOut)).toEqual([true, false]);
    expect(await linksOf(player)).toMatchObject([{ account: "hung" }]);
  });

  it("does not relink an account that another user has linked since, however often it is repeated", async () => {
    const [seller, buyer] = [await signIn(shard.server), await signIn(shard.server)];
    const attempt = { account: "sold", key: "k", from: "198.51.100.202" };
    expect((await create(seller, attempt)).status).toBe(201);
    await shard.link(buyer, "sold");
    expect((await create(seller, attempt)).status).toBe(201);
    expect(await linksOf(seller)).toEqual([]);
    expect(await linksOf(buyer)).toMatchObject([{ account: "sold" }]);
  });

  it("succeeds even if the list of links cannot be read", async () => {
    const player = await signIn(shard.server);
    shard.simulator.faults.trigger("status", { path: "/v1/links", status: 500, code: "X" });
    const { status, body } = await create(player, { account: "unlisted" });
    expect([status, body]).toEqual([201, { account: "unlisted", linked: true }]);
  });
});

describe("the cap on game accounts", () => {
  const twoHomes = ["2001:db8:1:100::1", "2001:db8:1:1ff::2", "2001:db8:1:180::3"];

  it("is three a day for an address, and refused requests do not count", async () => {
    const player = await signIn(shard.server);
    const from = "203.0.113.77";
    expect((await create(null, { account: "cap", from })).status).toBe(401);
    expect((await create(player, { account: "maple", from })).status).toBe(409);
    expect((await create(player, { account: "", from })).status).toBe(400);
    const statuses = [];
    for (const account of ["cap1", "cap2", "cap3", "cap4"]) {
      statuses.push((await create(player, { account, from })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429]);
    const refused = await create(player, { account: "cap5", from });
    expect(retryAfter(refused)).toBeGreaterThan(3600);
    expect((await create(null, { account: "cap6", from })).status).toBe(429);
  });

  it("counts requests whose answer was lost, because the account may exist", async () => {
    const player = await signIn(shard.server);
    const from = "203.0.113.78";
    const lost = (account: string, kind: "hang" | "cut" | "status") => {
      const how = kind === "status" ? { status: 503, code: "SHARD_DOWN" } : {};
      const carryOut = kind === "cut" ? {} : { carryOut: true };
      shard.simulator.faults.trigger(kind, { path: "/v1/accounts", ...how, ...carryOut });
      return create(player, { account, from });
    };
    const statuses = [];
    for (const [index, kind] of (["status", "cut", "hang"] as const).entries()) {
      statuses.push((await lost(`lost${index}`, kind)).status);
    }
    statuses.push((await create(player, { account: "lost9", from })).status);
    expect(statuses).toEqual([503, 503, 503, 429]);
    expect((await shard.logged("shard.account")).slice(-3).map(({ detail }) => detail)).toEqual(
      [0, 1, 2].map((index) => ({ account: `lost${index}`, outcome: "unknown" })),
    );
  });

  it("does not count requests that were never sent", async () => {
    const player = await signIn(shard.server);
    const from = "203.0.113.79";
    shard.simulator.faults.trigger("vanish", { ms: 0 });
    const statuses = [];
    for (const account of ["away1", "away2", "away3", "away4"]) {
      statuses.push((await create(player, { account, from })).status);
    }
    await shard.simulator.comeBack();
    await waitUntilPluginsCall(shard.server);
    statuses.push((await create(player, { account: "away5", from })).status);
    expect(statuses).toEqual([503, 503, 503, 503, 201]);
    expect((await shard.logged("shard.account")).at(-2)?.detail).toEqual({
      account: "away4",
      outcome: "SHARD_DOWN",
    });
  });

  it("covers a whole IPv6 /56", async () => {
    const player = await signIn(shard.server);
    const statuses = [];
    for (const [index, from] of [...twoHomes, "2001:db8:1:101::4"].entries()) {
      statuses.push((await create(player, { account: `six${index}`, from })).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429]);
    const neighbour = { account: "six9", from: "2001:db8:1:200::1" };
    expect((await create(player, neighbour)).status).toBe(201);
  });

  it("is also enforced by the shard, whose refusal is answered 429", async () => {
    const player = await signIn(shard.server);
    shard.simulator.faults.trigger("limit");
    const { status, body } = await create(player, { account: "limited" });
    expect([status, body]).toEqual([429, { error: "The game server's limit is reached" }]);
  });
});

describe("the password of a game account", () => {
  it("is stored in no table", async () => {
    expect(await tablesHolding(shard.server, "Tr0ub4dor")).toEqual([]);
  });
});
