import { Op } from "sequelize";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { listLinksCall } from "../../shared/shard/calls/account-calls.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { statementsOf } from "../support/database/statements.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { activityOf, storeSetting } from "../support/factories/site.ts";
import { linkSimulator } from "../support/shard/ingest.ts";
import { impatient, type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
let player: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard({ server: { shard: impatient } });
  admin = await signIn(shard.server, { role: "admin" });
  player = await signIn(shard.server);
  await shard.link(player, "maple");
  await storeSetting(shard.server, "game_account_signup", true);
});
afterEach(() => shard.simulator.faults.clear());
afterAll(() => shard.stop());

interface Call {
  readonly who: () => SignedIn;
  readonly body?: object;
  /** The action that a command writes to the activity log. Undefined for reads. */
  readonly action?: string;
}

const byAdmin = { who: () => admin };
const byPlayer = { who: () => player };
const link = { body: { code: "ABCDEFGH" }, action: "shard.link" };
const account = { body: { account: "new", password: "a game secret" }, action: "shard.account" };
const entry = { lines: ["x"], durationSec: 60 };

/** CATALOGUE of the routes that call the shard. */
const calls = (): Record<string, Call> => ({
  "POST /player/shard/link": { ...byPlayer, ...link },
  "POST /admin/shard/link": { ...byPlayer, ...link },
  "POST /player/shard/account": { ...byPlayer, ...account },
  "POST /admin/shard/account": { ...byPlayer, ...account },
  "GET /admin/shard/char/0x00000099": byAdmin,
  "GET /player/shard/roster/maple": byPlayer,
  "GET /admin/shard/roster/maple": byAdmin,
  "GET /player/shard/vendors/maple": byPlayer,
  "GET /admin/shard/vendors/maple": byAdmin,
  "POST /admin/shard/kick": { ...byAdmin, body: { account: "maple" }, action: "shard.kick" },
  "POST /admin/shard/ban": { ...byAdmin, body: { account: "maple" }, action: "shard.ban" },
  "POST /admin/shard/unban": { ...byAdmin, body: { account: "maple" }, action: "shard.unban" },
  "POST /admin/shard/broadcast": { ...byAdmin, body: { text: "x" }, action: "shard.broadcast" },
  "GET /admin/shard/pages": byAdmin,
  "POST /admin/shard/pages/p/respond": {
    ...byAdmin,
    body: { message: "a private word" },
    action: "shard.page.respond",
  },
  "POST /admin/shard/pages/p/close": { ...byAdmin, action: "shard.page.close" },
  "GET /admin/shardlink/signup-mode": byAdmin,
  "PUT /admin/shardlink/signup-mode": {
    ...byAdmin,
    body: { mode: "hybrid" },
    action: "shard.signup_mode",
  },
  "GET /admin/shardlink/towncrier": byAdmin,
  "POST /admin/shardlink/towncrier": { ...byAdmin, body: entry, action: "shard.towncrier.add" },
  "DELETE /admin/shardlink/towncrier/c": { ...byAdmin, action: "shard.towncrier.remove" },
  [`DELETE /admin/users/${player.userId}/shard/link/maple`]: {
    ...byAdmin,
    action: "shard.unlink",
  },
});

/** Answers of single routes that differ from the usual answer to a fault, by the fault's code. */
const otherwise: Record<string, Record<string, readonly [number, string]>> = {
  NOT_FOUND: {
    "POST /player/shard/link": [400, "Unknown or expired code"],
    "POST /admin/shard/link": [400, "Unknown or expired code"],
    "GET /admin/shard/char/0x00000099": [404, "Unknown character"],
  },
  TAKEN: {
    "POST /player/shard/link": [409, "The game account is linked to another user"],
    "POST /admin/shard/link": [409, "The game account is linked to another user"],
    "POST /player/shard/account": [409, "Account name is taken"],
    "POST /admin/shard/account": [409, "Account name is taken"],
  },
};

const actions = (): string[] => Object.values(calls()).flatMap(({ action }) => action ?? []);

/**
 * Calls all routes at once.
 * @returns the answers, whether each command was sent once, and the outcomes in the log
 */
async function callAll() {
  const before = shard.simulator.received.commands.length;
  const answers = await Promise.all(
    Object.entries(calls()).map(async ([route, { who, body: given }]) => {
      const { status, body, headers } = await shard.as(who(), route, given && { body: given });
      return [route, status, body, headers.get("retry-after")] as const;
    }),
  );
  const sent = shard.simulator.received.commands.slice(before);
  const keys = new Set(sent.map(({ key }) => key));
  const isSentOnce = keys.size === sent.length && sent.length <= actions().length;
  return { answers, isSentOnce, logged: await readOutcomes() };
}

/** Returns the outcome in the newest log line of each command. */
async function readOutcomes(): Promise<string[]> {
  const outcomes = [];
  for (const action of new Set(actions())) {
    const times = actions().filter((one) => one === action).length;
    const lines = (await shard.logged(action)).slice(-times);
    outcomes.push(...lines.map(({ detail }) => `${action} ${String(detail["outcome"])}`));
  }
  return outcomes;
}

/**
 * Returns the result of `callAll` if all calls have the same fault.
 * @param outcome the outcome in the log: "unknown" for a command that was sent and may have had its effect
 */
const allRefused = (code: string, status: number, error: string, outcome = code) => ({
  answers: Object.keys(calls()).map((route) => {
    const [ownStatus, ownError] = otherwise[code]?.[route] ?? [status, error];
    const retryAfter = [429, 503].includes(ownStatus) ? expect.stringMatching(/^[1-9]\d*$/) : null;
    return [route, ownStatus, { error: ownError }, retryAfter];
  }),
  isSentOnce: true,
  logged: actions()
    .toSorted((one, other) => actions().indexOf(one) - actions().indexOf(other))
    .map((action) => `${action} ${outcome}`),
});

describe("every route that calls the shard", () => {
  it.each([
    [400, "INVALID", 400, "The game server refused the request"],
    [403, "PROTECTED", 403, "The game server protects this account"],
    [403, "WRITES_DISABLED", 403, "The game server does not accept changes"],
    [403, "SIGNUP_CLOSED", 403, "The game server does not accept sign-ups from the site"],
    [404, "NOT_FOUND", 404, "The game server does not know the object"],
    [409, "TAKEN", 409, "The name or account is already in use"],
    [409, "CONFLICT", 409, "The idempotency key was used for another request"],
    [409, "BUSY", 502, "The game server is busy with an earlier request"],
    [422, "UNSUPPORTED", 502, "The game server does not support this"],
    [422, "DISABLED", 502, "This is turned off on the game server"],
    [429, "LIMIT", 429, "The game server's limit is reached"],
    [503, "SHARD_DOWN", 503, "The game server cannot be reached"],
    [500, "UNAVAILABLE", 502, "The game server failed"],
    [418, "MALFORMED", 502, "The game server's answer was not understood"],
  ])("answers the error %i %s of the shard with %i", async (given, code, status, error) => {
    shard.simulator.faults.trigger("status", { status: given, code, times: 0 });
    const outcome = given < 500 ? code : "unknown";
    expect(await callAll()).toEqual(allRefused(code, status, error, outcome));
  });

  it("answers 502 if the shard answers a page of HTML", async () => {
    shard.simulator.faults.trigger("html", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("MALFORMED", 502, "The game server's answer was not understood", "unknown"),
    );
  });

  it("answers 502 if the shard answers garbage", async () => {
    shard.simulator.faults.trigger("rubbish", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("MALFORMED", 502, "The game server's answer was not understood", "unknown"),
    );
  });

  it("answers 502 if the shard redirects, and does not follow", async () => {
    shard.simulator.faults.trigger("redirect", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("MALFORMED", 502, "The game server's answer was not understood"),
    );
  });

  it("answers 502 if the shard speaks another protocol", async () => {
    shard.simulator.faults.trigger("protocol", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("PROTOCOL", 502, "The game server uses another protocol version"),
    );
  });

  it("answers 502 if the shard refuses the token", async () => {
    shard.simulator.faults.trigger("unauthorized", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("UNAUTHORIZED", 502, "The game server refused the token"),
    );
  });

  it("answers 503 after the timeout if the shard never answers", async () => {
    shard.simulator.faults.trigger("hang", { times: 0 });
    expect(await callAll()).toEqual(
      allRefused("SHARD_DOWN", 503, "The game server cannot be reached", "unknown"),
    );
  });

  it("answers 503 if the sidecar has lost the game", async () => {
    shard.simulator.faults.trigger("away");
    expect(await callAll()).toEqual(
      allRefused("SHARD_DOWN", 503, "The game server cannot be reached", "unknown"),
    );
    shard.simulator.faults.trigger("back");
  });

  it("answers 503 while the shard is gone, and works again when it is back", async () => {
    shard.simulator.faults.trigger("vanish", { ms: 0 });
    expect(await callAll()).toEqual(
      allRefused("SHARD_DOWN", 503, "The game server cannot be reached"),
    );
    await shard.simulator.comeBack();
    const answered = await shard.as(admin, "GET /admin/shardlink/signup-mode");
    expect(answered.status).toBe(200);
  });
});

describe("the activity log", () => {
  it("holds no password, no code and no private message of any command", async () => {
    const ofShard = { action: { [Op.startsWith]: "shard." } };
    const rows = await activityOf(shard.server, ofShard, ["detail"]);
    expect(rows.length).toBeGreaterThan(100);
    expect(JSON.stringify(rows)).not.toMatch(/a game secret|ABCDEFGH|a private word/);
  });
});

const read = () => shard.as(admin, "GET /admin/shardlink/signup-mode");

/** Makes a call whose answer the shard holds until `release` is called. */
async function holdRead() {
  const { faults, received } = shard.simulator;
  const earlier = received.calls.length;
  faults.trigger("hold", { path: "/v1/signup-mode" });
  const answer = read();
  await waitUntil("the call is made", () => received.calls.length > earlier);
  return { answer, release: () => faults.trigger("release") };
}

describe("a shard that is slow but answers in time", () => {
  it("is awaited, and the route answers 200", async () => {
    shard.simulator.faults.trigger("slow", { ms: 300 });
    expect((await shard.as(admin, "GET /admin/shardlink/signup-mode")).status).toBe(200);
  });
});

describe("the state of the shard link", () => {
  const state = async () => {
    const { body } = await shard.as(admin, "GET /admin/shardlink/config");
    const { status, reason } = body as { status: string; reason: string | null };
    return [status, reason];
  };

  it("is error after the sidecar refuses the protocol or the token, until a call succeeds", async () => {
    await read();
    // The link is not connected, because this test runs no ingest.
    expect(await state()).toEqual(["reconnecting", null]);
    shard.simulator.faults.trigger("protocol", { path: "/v1/signup-mode", server: 9 });
    await read();
    expect(await state()).toEqual(["error", expect.stringContaining("the sidecar answered 409")]);
    await read();
    expect(await state()).toEqual(["reconnecting", null]);
    shard.simulator.faults.trigger("unauthorized", { path: "/v1/signup-mode" });
    await read();
    expect(await state()).toEqual(["error", "the sidecar refused the token"]);
    const open = await shard.as(null, "GET /public/shard/status");
    expect(open.body).toMatchObject({ enabled: true, status: "error" });
  });

  it("is no longer error once the configuration is saved", async () => {
    const saved = await shard.as(admin, "PUT /admin/shardlink/config", { body: { protocol: 8 } });
    expect(saved.body).toMatchObject({ status: "reconnecting", reason: null });
  });

  it("stays error if a call succeeds at the sidecar of a former configuration", async () => {
    const { shard: control } = shard.server.context;
    const { answer, release } = await holdRead();
    await shard.as(admin, "PUT /admin/shardlink/config", { body: { protocol: 8 } });
    shard.simulator.faults.trigger("unauthorized", { path: "/v1/links" });
    await expect(control.call(({ read: ask }) => ask(listLinksCall))).rejects.toThrow("refused");
    release();
    expect((await answer).status).toBe(200);
    expect(await state()).toEqual(["error", "the sidecar refused the token"]);
    await read();
    expect(await state()).toEqual(["reconnecting", null]);
  });

  it("takes one database statement at each successful call, and the statement changes no row", async () => {
    const { shard: control, sequelize } = shard.server.context;
    const asked = await statementsOf({ sequelize }, () =>
      control.call(({ read: ask }) => ask(listLinksCall)),
    );
    expect(asked).toEqual([expect.stringMatching(/^delete from shard_facts\b/)]);
  });
});

describe("a shard link whose token cannot be read", () => {
  it("shows the reason, and works again when the token is saved again", async () => {
    const seal = (token: string) => changeSidecarLink(shard.server, { tokenSealed: token });
    await seal("v1.lost.AAAA");
    const shown = await shard.as(admin, "GET /admin/shardlink/config");
    expect([shown.status, shown.body]).toEqual([
      200,
      expect.objectContaining({
        hasToken: true,
        health: { error: "the stored token cannot be read; save it again" },
      }),
    ]);
    const { token } = shard.simulator;
    const saved = await shard.as(admin, "PUT /admin/shardlink/config", { body: { token } });
    expect(saved.body).toMatchObject({ hasToken: true, health: { protocol: 8 } });
  });
});

describe("a shard link", () => {
  const save = (body: object) => shard.as(admin, "PUT /admin/shardlink/config", { body });

  it("makes no call while it is switched off, and every route answers 503", async () => {
    expect((await save({ enabled: false })).status).toBe(200);
    const before = shard.simulator.received.calls.length;
    expect(await callAll()).toEqual(
      allRefused("SHARD_DOWN", 503, "The game server cannot be reached"),
    );
    expect(shard.simulator.received.calls.length).toBe(before);
    expect((await save({ enabled: true })).status).toBe(200);
    expect((await read()).status).toBe(200);
  });

  it("sends the next calls to another sidecar after another process has changed its configuration", async () => {
    const other = await startSimulator({ world: "small", token: "another", signupMode: "game" });
    await linkSimulator(other, shard.server.context);
    await waitUntil("the other sidecar is asked", async () => {
      return (await read()).text.includes('"mode":"game"');
    });
    await linkSimulator(shard.simulator, shard.server.context);
    await waitUntil("the first is asked again", async () => {
      return !(await read()).text.includes('"mode":"game"');
    });
    expect(new Set(other.received.calls.map(({ path }) => path))).toEqual(
      new Set(["/v1/signup-mode"]),
    );
    await other.stop();
  });

  it("lets a call finish that began before the link was changed", async () => {
    const { answer, release } = await holdRead();
    await shard.server.context.shard.reload();
    release();
    expect((await answer).status).toBe(200);
  });
});
