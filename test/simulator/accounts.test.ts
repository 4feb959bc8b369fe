import { afterEach, describe, expect, it } from "vitest";

import { callControl, buildInvalidAnswer, moderator, buildOkAnswer, refused } from "./client.ts";
import type { SimulatorAnswer } from "./client.ts";
import type { Simulator } from "./simulator.ts";
import { noon, eventsSince, createSimulatorPool } from "./starting.ts";
import type { Character } from "./world/people.ts";
import type { Vendor } from "./world/vendors.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

type Row = Readonly<Record<string, unknown>>;

const rose = { account: "rose", password: "open sesame", ip: "192.0.2.1" };

const open = (simulator: Simulator, body: unknown, actor?: unknown): Promise<SimulatorAnswer> =>
  callControl(simulator, "POST", "/v1/accounts", { body, actor });

const codeOf = ({ world }: Simulator, name: string): string =>
  world.codes.keys().find((code) => world.codes.get(code)?.name === name) as string;

const redeem = (simulator: Simulator, code: string, actor?: unknown): Promise<SimulatorAnswer> =>
  callControl(simulator, "POST", "/v1/links/redeem", { body: { code }, actor });

describe("POST /v1/accounts", () => {
  it("creates the account and links it to the actor", async () => {
    const simulator = await start();
    const from = simulator.buffer.head;
    expect(await open(simulator, rose)).toEqual({
      status: 201,
      body: { account: "rose", linked: true },
    });
    expect(eventsSince(simulator, from)).toEqual([
      ["account.created", { acct: "rose", ip: "192.0.2.1", via: "website" }],
      ["account.audit", { acct: "rose", action: "created", by: "mod", detail: "website" }],
      ["account.linked", { acct: "rose", webId: 7, by: "site" }],
    ]);
    expect(JSON.stringify(simulator.buffer.log)).not.toContain("open sesame");
    const roster = await callControl(simulator, "GET", "/v1/accounts/ROSE/roster");
    expect(roster).toEqual(buildOkAnswer({ account: "rose", characters: [] }));
  });

  it("creates an account without a link if the actor is no user", async () => {
    const simulator = await start();
    const answer = await open(simulator, rose, { ...moderator, userId: null });
    expect(answer.body).toEqual({ account: "rose", linked: false });
  });

  it("answers TAKEN for a taken name in any case", async () => {
    const simulator = await start();
    expect(await open(simulator, { ...rose, account: "MAPLE" })).toEqual(refused(409, "TAKEN"));
  });

  it.each(["disabled", "game"] as const)("answers SIGNUP_CLOSED in mode %s", async (mode) => {
    const simulator = await start({ signupMode: mode });
    expect(await open(simulator, rose)).toEqual(refused(403, "SIGNUP_CLOSED"));
  });

  it("answers LIMIT beyond the number of accounts per address, except on the loopback address", async () => {
    const simulator = await start();
    const names = ["rose1", "rose2", "rose3", "rose4"];
    const of = async (ip: string, mark: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (const name of names) {
        statuses.push((await open(simulator, { ...rose, ip, account: name + mark })).status);
      }
      return statuses;
    };
    expect(await of("192.0.2.1", "a")).toEqual([201, 201, 201, 429]);
    expect(await of("127.0.0.1", "b")).toEqual([201, 201, 201, 201]);
  });

  it.each([
    [{ ...rose, account: "" }, "account", "must have 1 to 30 characters"],
    [{ ...rose, account: "x".repeat(31) }, "account", "must have 1 to 30 characters"],
    [{ ...rose, account: "a b" }, "account", "holds a character that is not allowed"],
    [{ ...rose, account: "a<b" }, "account", "holds a character that is not allowed"],
    [{ ...rose, password: "x".repeat(31) }, "password", "must have 1 to 30 characters"],
    [{ ...rose, password: "pässword" }, "password", "must be printable ASCII"],
    [{ ...rose, ip: 7 }, "ip", "must be a string"],
    [[], "body", "must be an object"],
  ])("answers INVALID for %j", async (body, field, reason) => {
    const simulator = await start();
    expect(await open(simulator, body)).toEqual(buildInvalidAnswer(field, reason));
  });
});

describe("the signup mode", () => {
  it("can be read and set, and is sent with the ruleset", async () => {
    const simulator = await start();
    expect(await callControl(simulator, "GET", "/v1/signup-mode")).toEqual(
      buildOkAnswer({ mode: "hybrid" }),
    );
    const body = { mode: "website" };
    expect(await callControl(simulator, "PUT", "/v1/signup-mode", { body })).toEqual(
      buildOkAnswer(body),
    );
    expect(await callControl(simulator, "GET", "/v1/signup-mode")).toEqual(buildOkAnswer(body));
    expect(simulator.buffer.log.at(-1)).toMatchObject({
      kind: "world.ruleset",
      payload: { signupMode: "website" },
    });
    const wrong = await callControl(simulator, "PUT", "/v1/signup-mode", { body: { mode: "x" } });
    expect(wrong.body).toMatchObject({ code: "INVALID", field: "mode" });
  });
});

describe("links of game accounts", () => {
  it("are created by a code that works once", async () => {
    const simulator = await start();
    const code = codeOf(simulator, "maple");
    expect(await redeem(simulator, ` ${code} `)).toEqual(
      buildOkAnswer({ account: "maple", access: "Player", linkedAt: noon }),
    );
    expect(simulator.buffer.log.at(-1)).toMatchObject({
      kind: "account.linked",
      payload: { acct: "maple", webId: 7, by: "player" },
    });
    expect(await redeem(simulator, code)).toEqual(refused(404, "NOT_FOUND"));
    expect(await callControl(simulator, "GET", "/v1/links")).toEqual(
      buildOkAnswer({ links: [{ account: "maple", userId: 7, linkedAt: noon }] }),
    );
  });

  it("are refused with TAKEN if the account is linked to another user", async () => {
    const simulator = await start({ links: [{ account: "Maple", userId: 3 }] });
    const code = codeOf(simulator, "maple");
    expect(await redeem(simulator, code)).toEqual(refused(409, "TAKEN"));
    const same = await redeem(simulator, code, { ...moderator, userId: 3 });
    expect(same.body).toEqual({ account: "maple", access: "Player", linkedAt: noon });
  });

  it("can be removed by the site, except links of staff accounts", async () => {
    const links = [
      { account: "maple", userId: 3 },
      { account: "gm_aldor", userId: 4 },
    ];
    const simulator = await start({ links });
    const cut = (account: string) => callControl(simulator, "DELETE", `/v1/links/${account}`);
    expect(await cut("MAPLE")).toEqual(buildOkAnswer({ account: "maple", unlinked: true }));
    expect(simulator.buffer.log.at(-1)).toMatchObject({
      kind: "account.unlinked",
      payload: { acct: "maple", webId: 3, by: "site" },
    });
    expect(await cut("maple")).toEqual(buildOkAnswer({ account: "maple", unlinked: false }));
    expect(await cut("gm_aldor")).toEqual(refused(403, "PROTECTED"));
    expect(await cut("nobody")).toEqual(refused(404, "NOT_FOUND"));
  });
});

describe("reads of an account", () => {
  it("return its roster and the sheet of a character", async () => {
    const simulator = await start();
    const [online] = simulator.world.online.values() as [Character];
    const { serial, name, race, female, place, account } = online;
    const path = `/v1/accounts/${account.name}/roster`;
    const roster = (await callControl(simulator, "GET", path)).body as { characters: Row[] };
    expect(roster).toMatchObject({ account: account.name });
    expect(roster.characters.find((one) => one["serial"] === serial)).toEqual({
      serial,
      name,
      race,
      female,
      guild: simulator.world.guilds.get(online.guildId ?? 0)?.name ?? null,
      map: place.map,
      online: true,
      lastLogin: noon,
    });
    const sheet = (await callControl(simulator, "GET", `/v1/characters/${serial}`)).body;
    expect(sheet).toMatchObject({ serial, name, account: account.name, race, female });
    expect((sheet as { skills: unknown[] }).skills).toHaveLength(58);
  });

  it("return the vendors of its characters", async () => {
    const simulator = await start();
    const vendors = simulator.world.vendors.values();
    const owned = vendors.find(({ owner }) => owner !== null) as Vendor;
    const account = owned.owner?.account.name as string;
    const path = `/v1/accounts/${encodeURIComponent(account)}/vendors`;
    const { body } = await callControl(simulator, "GET", path);
    const rows = (body as { vendors: Row[] }).vendors;
    expect(rows.find((row) => row["serial"] === owned.serial)).toEqual({
      serial: owned.serial,
      shopName: owned.shopName,
      location: { ...owned.place, house: owned.house && (owned.house.name ?? "An Unnamed House") },
      gold: owned.gold,
      chargePerDay: expect.any(Number),
      items: owned.items.length,
    });
  });

  it("are answered 404 for an unknown account or character", async () => {
    const simulator = await start();
    for (const path of ["/v1/accounts/nobody/roster", "/v1/accounts/nobody/vendors"]) {
      expect((await callControl(simulator, "GET", path)).status).toBe(404);
    }
    const path = "/v1/characters/0x3FFFFFFF";
    expect(await callControl(simulator, "GET", path)).toEqual(refused(404, "NOT_FOUND"));
  });
});
