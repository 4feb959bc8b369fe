import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { overSidecar, expectedDuplicateCalls } from "../support/plugin/over-sidecar.ts";
import {
  findReceivedCommands,
  impatient,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
let moderator: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard({
    server: { shard: impatient },
    simulator: { clock: () => Date.UTC(2026, 0, 1) },
  });
  admin = await signIn(shard.server, { role: "admin" });
  moderator = await signIn(shard.server, { role: "moderator" });
});
afterEach(() => shard.simulator.faults.clear());
afterAll(() => shard.stop());

const post = async (who: SignedIn, path: string, body?: object) => {
  const answered = await shard.as(who, `POST ${path}`, { body });
  return { status: answered.status, body: answered.body };
};

function openPage(id: string): void {
  const sender = shard.character("maple");
  shard.simulator.world.pages.set(id, {
    id,
    type: "Stuck",
    sender,
    message: "I am stuck in a wall",
    place: { map: "Trammel", x: 1, y: 2, z: 3, region: "Britain" },
    sentAt: Date.UTC(2026, 0, 1),
    handler: null,
    responses: [],
  });
}

const actorOf = ({ userId, username }: SignedIn, role: string) => ({ userId, username, role });
const invalid = (path: string, message: string) => ({
  status: 400,
  body: { error: "Validation failed", errors: [{ path, message }] },
});

describe("POST /admin/shard/kick", () => {
  it("kicks in the name of the session's user, whatever the body says", async () => {
    const body = { account: "maple", actor: "somebody", userId: 1 };
    expect(await post(moderator, "/admin/shard/kick", body)).toEqual({
      status: 200,
      body: { ok: true, account: "maple", kicked: expect.any(Number) },
    });
    expect(findReceivedCommands(shard, "/v1/kick").at(-1)).toMatchObject({
      actor: actorOf(moderator, "moderator"),
      body: { account: "maple" },
      carriedOut: true,
    });
    expect((await shard.logged("shard.kick")).at(-1)).toEqual({
      actorId: moderator.userId,
      target: "gameAccount maple",
      detail: { account: "maple", outcome: "done" },
    });
  });

  it("hides a character's account from the moderator who kicks the character", async () => {
    const { serial } = shard.character("maple");
    const kicked = { ok: true, kicked: expect.any(Number) };
    expect(await post(moderator, "/admin/shard/kick", { serial })).toEqual({
      status: 200,
      body: kicked,
    });
    expect(await post(admin, "/admin/shard/kick", { serial })).toEqual({
      status: 200,
      body: { ...kicked, account: "maple" },
    });
  });

  it("requires an account or a serial", async () => {
    expect(await post(admin, "/admin/shard/kick", {})).toEqual(
      invalid("", "account or serial is required"),
    );
    expect((await post(admin, "/admin/shard/kick", { serial: "0x0" })).status).toBe(400);
    expect((await post(admin, "/admin/shard/kick", { account: 7 })).status).toBe(400);
  });

  it("answers 404 for an account that the shard does not know", async () => {
    expect(await post(admin, "/admin/shard/kick", { account: "nobody" })).toEqual({
      status: 404,
      body: { error: "The game server does not know the object" },
    });
  });
});

describe("POST /admin/shard/ban and /admin/shard/unban", () => {
  it("bans for a time or permanently, and lifts a ban", async () => {
    const ban = { account: "MAPLE", durationSec: 3600, reason: "macroing" };
    expect(await post(moderator, "/admin/shard/ban", ban)).toEqual({
      status: 200,
      body: { ok: true, account: "maple", until: "2026-01-01T01:00:00.000Z" },
    });
    expect(await post(moderator, "/admin/shard/ban", { account: "maple", durationSec: 0 })).toEqual(
      { status: 200, body: { ok: true, account: "maple", until: null } },
    );
    expect(shard.account("maple").ban).toEqual({
      until: null,
      reason: expect.stringMatching(/^\(ban #\d+, appeal: http:\/\/localhost:3000\/appeals\)$/),
    });
    expect(await post(moderator, "/admin/shard/unban", { account: "maple" })).toEqual({
      status: 200,
      body: { ok: true, account: "maple", wasBanned: true },
    });
    expect((await shard.logged("shard.ban"))[0]).toEqual({
      actorId: moderator.userId,
      target: "gameAccount MAPLE",
      detail: { ...ban, outcome: "done" },
    });
  });

  it("refuses a protected account with 403, and logs the attempt", async () => {
    expect(await post(admin, "/admin/shard/ban", { account: "gm_aldor" })).toEqual({
      status: 403,
      body: { error: "The game server protects this account" },
    });
    expect((await shard.logged("shard.ban")).at(-1)).toEqual({
      actorId: admin.userId,
      target: "gameAccount gm_aldor",
      detail: { account: "gm_aldor", outcome: "PROTECTED" },
    });
  });

  it.each([
    ["durationSec", -1],
    ["durationSec", 1.5],
    ["durationSec", "60"],
    ["reason", "x".repeat(257)],
    ["account", ""],
  ])("answers 400 if %s is %p, and sends the shard nothing", async (field, value) => {
    const before = shard.simulator.received.calls.length;
    const { status, body } = await post(admin, "/admin/shard/ban", {
      account: "maple",
      [field]: value,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: field }] });
    expect(shard.simulator.received.calls.length).toBe(before);
  });

  it("names the field and the reason if the shard rejects a value", async () => {
    const { status, body } = await post(admin, "/admin/shard/ban", {
      account: "maple",
      durationSec: 2 ** 31 - 1,
    });
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^durationSec: must be from 0 to \d+$/) },
    });
  });
});

describe("POST /admin/shard/broadcast", () => {
  it("sends the text to everyone in the world", async () => {
    const said = { text: "The <fair> opens", hue: 53 };
    expect(await post(moderator, "/admin/shard/broadcast", said)).toEqual({
      status: 200,
      body: { ok: true, recipients: shard.simulator.world.online.size },
    });
    expect(findReceivedCommands(shard, "/v1/broadcast").at(-1)?.body).toEqual(said);
  });

  it.each([
    [{}, "text"],
    [{ text: "" }, "text"],
    [{ text: "x".repeat(257) }, "text"],
    [{ text: "x", hue: 3001 }, "hue"],
    [{ text: "x", hue: -1 }, "hue"],
  ])("answers 400 to %j", async (body, path) => {
    const answered = await post(admin, "/admin/shard/broadcast", body);
    expect(answered).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

describe("help pages from players", () => {
  it("are listed with the sender's character, and never with the account", async () => {
    openPage("page-a");
    const { status, body } = await shard.as(moderator, "GET /admin/shard/pages");
    const { serial, name } = shard.character("maple");
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        {
          id: "page-a",
          type: "Stuck",
          sender: { serial, name },
          message: "I am stuck in a wall",
          location: { map: "Trammel", x: 1, y: 2, z: 3, region: "Britain" },
          sentAt: "2026-01-01T00:00:00.000Z",
          handler: null,
          responses: [],
        },
      ],
    });
  });

  it("are answered in the name of the session's user, and the log keeps no text of the answer", async () => {
    openPage("page-b");
    const path = "/admin/shard/pages/page-b/respond";
    expect(await post(moderator, path, { message: "on my way" })).toEqual({
      status: 200,
      body: { ok: true, id: "page-b" },
    });
    expect(shard.simulator.world.pages.get("page-b")?.responses).toEqual([
      { by: moderator.username, message: "on my way", at: expect.any(Number) },
    ]);
    expect(await post(moderator, path, { message: "done", close: true })).toMatchObject({
      status: 200,
    });
    expect(shard.simulator.world.pages.has("page-b")).toBe(false);
    expect((await shard.logged("shard.page.respond")).map(({ detail }) => detail)).toEqual([
      { close: false, outcome: "done" },
      { close: true, outcome: "done" },
    ]);
  });

  it("can be closed once, and closing an unknown page answers 404", async () => {
    openPage("page-c");
    const path = "/admin/shard/pages/page-c/close";
    expect(await post(moderator, path)).toEqual({ status: 200, body: { ok: true, id: "page-c" } });
    expect((await post(moderator, path)).status).toBe(404);
    const respond = await post(moderator, "/admin/shard/pages/nowhere/respond", { message: "x" });
    expect(respond.status).toBe(404);
    expect((await post(moderator, "/admin/shard/pages/page-a/respond", {})).status).toBe(400);
  });
});

describe("the town criers", () => {
  const entry = { lines: ["Hear ye!", "x".repeat(128)], durationSec: 60 };

  it("list a new entry until it is removed, and answer 404 to a second removal", async () => {
    const added = await post(admin, "/admin/shardlink/towncrier", entry);
    const { id } = added.body as { id: string };
    const expected = { id, lines: entry.lines, expiresAt: "2026-01-01T00:01:00.000Z" };
    expect(added).toEqual({ status: 200, body: expected });
    const list = await shard.as(admin, "GET /admin/shardlink/towncrier");
    expect(list.body).toEqual({ entries: [expected] });
    const removed = await shard.as(admin, `DELETE /admin/shardlink/towncrier/${id}`);
    expect([removed.status, removed.body]).toEqual([200, { id, removed: true }]);
    const again = await shard.as(admin, `DELETE /admin/shardlink/towncrier/${id}`);
    expect(again.status).toBe(404);
    expect((await shard.logged("shard.towncrier.remove")).map(({ detail }) => detail)).toEqual([
      { outcome: "done" },
      { outcome: "NOT_FOUND" },
    ]);
  });

  it.each([
    { ...entry, lines: [] },
    { ...entry, lines: Array.from({ length: 9 }, () => "x") },
    { ...entry, lines: ["x".repeat(129)] },
    { ...entry, lines: [""] },
    { ...entry, lines: "x" },
    { ...entry, durationSec: 59 },
    { ...entry, durationSec: 31_536_001 },
    { lines: ["x"] },
  ])("refuse an entry with invalid lines or an invalid duration (case %#)", async (body) => {
    const before = findReceivedCommands(shard, "/v1/towncrier").length;
    const answered = await post(admin, "/admin/shardlink/towncrier", body);
    expect(answered).toMatchObject({ status: 400, body: { error: "Validation failed" } });
    expect(findReceivedCommands(shard, "/v1/towncrier").length).toBe(before);
  });
});

describe("/admin/shardlink/signup-mode", () => {
  const path = "/admin/shardlink/signup-mode";
  const modes = ["disabled", "website", "hybrid", "game"];

  it("reads and changes the shard's own mode", async () => {
    const changed = await shard.as(admin, `PUT ${path}`, { body: { mode: "website" } });
    expect([changed.status, changed.body]).toEqual([200, { mode: "website" }]);
    const read = await shard.as(admin, `GET ${path}`);
    expect([read.status, read.body]).toEqual([200, { mode: "website", modes }]);
  });

  it.each(["off", "", null, 1])("answers 400 to the mode %p", async (mode) => {
    const { status, body } = await shard.as(admin, `PUT ${path}`, { body: { mode } });
    const { error, errors } = body as { error: string; errors: { path: string }[] };
    expect([status, error]).toEqual([400, "Validation failed"]);
    expect(new Set(errors.map((fault) => fault.path))).toEqual(new Set(["mode"]));
  });
});

describe("a command with the client's Idempotency-Key", () => {
  const headers = { "idempotency-key": "client-key-1" };
  const broadcast = (who: SignedIn, text: string) =>
    shard.as(who, "POST /admin/shard/broadcast", { headers, body: { text } });

  it("is carried out once, however often it is sent", async () => {
    const first = await broadcast(admin, "once");
    const second = await broadcast(admin, "once");
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    const sent = findReceivedCommands(shard, "/v1/broadcast").filter(
      ({ body }) => (body as { text: string }).text === "once",
    );
    expect(sent.map(({ carriedOut, replayed }) => [carriedOut, replayed])).toEqual(
      expectedDuplicateCalls([true, false], [false, true]),
    );
  });

  it("is refused with 409 if the key was used with another body", async () => {
    const { status, body } = await broadcast(admin, "twice");
    expect([status, body]).toEqual([
      409,
      { error: "The idempotency key was used for another request" },
    ]);
  });

  it("is carried out once for each token that uses the same key, and names the token to the shard", async () => {
    const names = ["Crier", "Herald"];
    const ids: number[] = [];
    for (const name of names) {
      const body = { name, role: "moderator", scopes: ["shard-staff:write"] };
      const made = await shard.as(admin, "POST /admin/tokens", { body });
      const { secret, token } = made.body as { secret: string; token: { id: number } };
      ids.push(token.id);
      const byToken = { ...headers, authorization: `Bearer ${secret}` };
      const said = { headers: byToken, body: { text: `by ${name}` } };
      expect((await shard.as(null, "POST /admin/shard/broadcast", said)).status).toBe(200);
    }
    const sent = findReceivedCommands(shard, "/v1/broadcast").slice(-2);
    expect(sent.map(({ actor, carriedOut }) => [actor, carriedOut])).toEqual(
      names.map((name, index) => {
        const username = `${admin.username} (token ${ids[index]}: ${name})`;
        return [{ userId: admin.userId, username, role: "moderator" }, true];
      }),
    );
  });

  it("is carried out separately if another user or route uses the same key", async () => {
    expect((await broadcast(moderator, "mine")).status).toBe(200);
    const kick = { headers, body: { account: "maple" } };
    expect((await shard.as(admin, "POST /admin/shard/kick", kick)).status).toBe(200);
  });

  it("is carried out once if its first answer was lost", async () => {
    shard.simulator.faults.trigger("hang", { path: "/v1/broadcast", carryOut: true });
    const own = { headers: { "idempotency-key": "client-key-2" }, body: { text: "lost" } };
    const lost = await shard.as(admin, "POST /admin/shard/broadcast", own);
    expect(lost.status).toBe(503);
    expect((await shard.as(admin, "POST /admin/shard/broadcast", own)).status).toBe(200);
    const sent = findReceivedCommands(shard, "/v1/broadcast").filter(
      ({ body }) => (body as { text: string }).text === "lost",
    );
    expect(sent.map(({ carriedOut }) => carriedOut)).toEqual([true, false]);
  });
});

describe("a command without an Idempotency-Key from the client", () => {
  it("is carried out each time, under a new key", async () => {
    await shard.as(admin, "POST /admin/shard/broadcast", { body: { text: "again" } });
    await shard.as(admin, "POST /admin/shard/broadcast", { body: { text: "again" } });
    const [one, other] = findReceivedCommands(shard, "/v1/broadcast").slice(-2);
    expect([one?.carriedOut, other?.carriedOut]).toEqual([true, true]);
    expect(one?.key).not.toBe(other?.key);
  });

  it("is sent under the id of the request", overSidecar, async () => {
    const { headers } = await shard.as(admin, "POST /admin/shard/broadcast", {
      body: { text: "of a request" },
    });
    const [sent] = findReceivedCommands(shard, "/v1/broadcast").slice(-1);
    expect(sent?.requestId).toBe(headers.get("x-request-id"));
  });
});
