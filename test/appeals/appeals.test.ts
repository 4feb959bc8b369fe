import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { serviceActor } from "../../shared/platform/bridge/calls/call.ts";
import { storeSiteBan } from "../../shared/shard/punishments/site-bans.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { retryAfter } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";
import {
  findReceivedCommands,
  impatient,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let ingest: TestIngest;
let worker: TestWorker;
let admin: SignedIn;
let moderator: SignedIn;
let issuer: SignedIn;

const environment = { RL_APPEAL_MAX: "3", RL_APPEAL_MESSAGE_MAX: "4" };

beforeAll(async () => {
  shard = await startLinkedShard({ server: { environment, shard: impatient } });
  ingest = await startTestIngest(shard.server.context);
  worker = await startTestWorker(shard.server, ["upkeep"]);
  admin = await signIn(shard.server, { role: "admin" });
  moderator = await signIn(shard.server, { role: "moderator" });
  issuer = await signIn(shard.server, { role: "moderator" });
});
afterEach(() => shard.simulator.faults.clear());
afterAll(async () => {
  await worker.stop();
  await ingest.stop();
  await shard.stop();
});

const outcome = async (answered: ReturnType<LinkedShard["as"]>) => {
  const { status, body } = await answered;
  return { status, body };
};
const ask = (who: SignedIn | null, route: string, body?: unknown) =>
  outcome(shard.as(who, route, { ...(body !== undefined && { body }) }));

let used = 0;
/** Returns the name of a player's game account that no other test uses. */
function freshAccount(): string {
  const players = shard.simulator.world.accounts
    .values()
    .map(({ name, access }) => ({ name, access }));
  const free = [...players].filter(({ access }) => access === "Player")[used++];
  if (!free) throw new Error("the small world has no more accounts");
  return free.name;
}

const reason = "I was fishing by hand, and can prove it.";
const inForce = (account: string) =>
  shard.server.context.models.Punishment.scope("inForce").findOne({
    where: { accountKey: account.toLowerCase() },
  });

/** Bans an account in the game, as the game's staff do. */
async function banInGame(account: string, detail = "Unattended macroing"): Promise<void> {
  shard.account(account).ban = { until: null, reason: detail };
  shard.simulator.emit("account.audit", { acct: account, action: "banned", by: "gm_rook", detail });
  await waitUntil("the ban is known", async () => (await inForce(account)) !== null);
}

/** Replaces the ban in the game with another one. */
async function banAnew(account: string): Promise<void> {
  const standing = (await inForce(account))?.id;
  const detail = "For ever, and ever";
  shard.account(account).ban = { until: null, reason: detail };
  shard.simulator.emit("account.audit", { acct: account, action: "banned", by: "gm_rook", detail });
  await waitUntil("the ban is known", async () => (await inForce(account))?.id !== standing);
}

const punishmentsOf = (account: string) =>
  shard.server.context.models.Punishment.findAll({
    where: { accountKey: account.toLowerCase() },
    order: ["id"],
  });

const expire = (id = 0) =>
  shard.server.context.models.Punishment.update({ expiresAt: new Date() }, { where: { id } });

const ban = (account: string, who = issuer) =>
  ask(who, "POST /admin/shard/ban", { account, durationSec: 3600, reason: "Speed hack" });

const open = (who: SignedIn, account: string) =>
  ask(who, "POST /player/appeals", { account, reason });

interface Opened {
  readonly player: SignedIn;
  readonly account: string;
  readonly id: number;
}

/** Creates a banned player with an open appeal. */
async function openAppeal(banned: (account: string) => Promise<unknown> = banInGame) {
  const [player, account] = [await signIn(shard.server), freshAccount()];
  await shard.link(player, account);
  await banned(account);
  const { status, body } = await open(player, account);
  expect(status).toBe(201);
  return { player, account, id: (body as { appeal: { id: number } }).appeal.id } as Opened;
}

const ofOwner = async ({ player, id }: Opened) =>
  (await ask(player, `GET /player/appeals/${id}`)).body as {
    appeal: Record<string, unknown>;
    messages: unknown[];
  };
const ofStaff = async ({ id }: Opened) =>
  (await ask(admin, `GET /admin/appeals/${id}`)).body as {
    appeal: Record<string, unknown>;
    messages: Record<string, unknown>[];
  };
const write = ({ id }: Opened, body: object, who = moderator) =>
  ask(who, `POST /admin/appeals/${id}/messages`, body);
const decide = ({ id }: Opened, body: object, who = moderator) =>
  ask(who, `POST /admin/appeals/${id}/decision`, body);
const say = ({ player, id }: Opened, body: object) =>
  ask(player, `POST /player/appeals/${id}/messages`, body);

const time = expect.stringMatching(/Z$/) as unknown;
const anyId = expect.any(Number) as unknown;
const fault = (path: string, message: string) => ({
  status: 400,
  body: { error: "Validation failed", errors: [{ path, message }] },
});

describe("a ban", () => {
  it("a ban by the service tells the player the number of the ban and the appeal address, within 256 characters", async () => {
    const account = freshAccount();
    const long = "ä".repeat(255) + "z";
    const sent = await ask(issuer, "POST /admin/shard/ban", { account, reason: long });
    expect(sent.status).toBe(200);
    const punishment = await inForce(account);
    const told = shard.account(account).ban?.reason ?? "";
    expect(punishment).toMatchObject({ reason: long, issuedBy: issuer.userId, expiresAt: null });
    expect(told).toHaveLength(256);
    expect(told).toMatch(
      new RegExp(`^ä+… \\(ban #${punishment?.id}, appeal: http://localhost:3000/appeals\\)$`),
    );
  });

  it("a ban by the service is stored as one punishment, although the event stream reports it too", async () => {
    const account = freshAccount();
    await ban(account);
    await ask(issuer, "POST /admin/shard/unban", { account });
    await ban(account);
    shard.simulator.emit("account.audit", { acct: "nobody", action: "banned", by: null });
    await waitUntil("the stream told all", async () => (await inForce("nobody")) !== null);
    const all = await shard.server.context.models.Punishment.findAll({
      where: { accountKey: account.toLowerCase() },
      order: ["id"],
    });
    expect(all.map(({ issuedBy, endedAt }) => [issuedBy, endedAt === null])).toEqual([
      [issuer.userId, false],
      [issuer.userId, true],
    ]);
  });

  it("a ban that is repeated under its idempotency key stays one punishment", async () => {
    const account = freshAccount();
    const again = () =>
      shard.as(issuer, "POST /admin/shard/ban", {
        headers: { "idempotency-key": "once" },
        body: { account, reason: "Speed hack" },
      });
    const answers = await Promise.all([again(), again()]);
    expect((await again()).status).toBe(200);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const where = { accountKey: account.toLowerCase() };
    expect(await shard.server.context.models.Punishment.count({ where })).toBe(1);
    const sent = findReceivedCommands(shard, "/v1/ban")
      .map(({ body }) => body as { account: string; reason: string })
      .filter((body) => body.account === account);
    expect(new Set(sent.map((body) => body.reason)).size).toBe(1);
  });

  it("a ban that the shard refuses is not stored, but a ban whose answer timed out is stored from the event stream", async () => {
    await ask(admin, "POST /admin/shard/ban", { account: "gm_aldor" });
    const { Punishment } = shard.server.context.models;
    expect(await Punishment.count({ where: { accountKey: "gm_aldor" } })).toBe(0);
    const account = freshAccount();
    shard.simulator.faults.trigger("hang", { path: "/v1/ban", carryOut: true });
    expect((await ban(account)).status).toBe(503);
    await waitUntil("the stream told of it", async () => (await inForce(account)) !== null);
    expect(await inForce(account)).toMatchObject({ issuedBy: issuer.userId, issuerName: null });
  });

  it("a ban that was never sent is not stored, so a later ban in the game counts as made by game staff", async () => {
    const [player, account] = [await signIn(shard.server), freshAccount()];
    await shard.link(player, account);
    const link = (enabled: boolean) => ask(admin, "PUT /admin/shardlink/config", { enabled });
    await link(false);
    expect((await ban(account)).status).toBe(503);
    await link(true);
    await banInGame(account);
    expect(await inForce(account)).toMatchObject({ issuedBy: null, issuerName: "gm_rook" });
    expect(await open(player, account)).toMatchObject({
      status: 201,
      body: { appeal: { punishment: { reason: "Unattended macroing", expires_at: null } } },
    });
  });

  it("a ban whose call to the shard timed out stays stored if the retry under the same key is not sent", async () => {
    const account = freshAccount();
    const again = () =>
      shard.as(issuer, "POST /admin/shard/ban", {
        headers: { "idempotency-key": "perhaps" },
        body: { account },
      });
    shard.simulator.faults.trigger("hang", { path: "/v1/ban" });
    expect((await again()).status).toBe(503);
    await ask(admin, "PUT /admin/shardlink/config", { enabled: false });
    expect((await again()).status).toBe(503);
    await ask(admin, "PUT /admin/shardlink/config", { enabled: true });
    expect(await punishmentsOf(account)).toHaveLength(1);
  });

  it("a ban of a character is stored for the account that the shard names in its answer", async () => {
    const account = freshAccount();
    const { serial } = shard.character(account);
    expect((await ask(issuer, "POST /admin/shard/ban", { serial })).status).toBe(200);
    expect(await inForce(account)).toMatchObject({ issuedBy: issuer.userId });
  });

  it("a ban made in the game replaces a ban by the service, and stays after that ban would have expired", async () => {
    const [player, account] = [await signIn(shard.server), freshAccount()];
    await shard.link(player, account);
    await ban(account);
    const ours = await inForce(account);
    await banAnew(account);
    const all = await punishmentsOf(account);
    expect(all.map(({ issuerName, issuedBy, endedAt }) => [issuerName, issuedBy, endedAt])).toEqual(
      [
        [null, issuer.userId, all[1]?.issuedAt],
        ["gm_rook", null, null],
      ],
    );
    await expire(ours?.id);
    const opened = await open(player, account);
    expect(opened).toMatchObject({
      status: 201,
      body: {
        appeal: { punishment: { id: all[1]?.id, reason: "For ever, and ever", expires_at: null } },
      },
    });
  });

  it("a ban made in the game replaces an earlier ban made in the game", async () => {
    const account = freshAccount();
    await banInGame(account);
    await banAnew(account);
    const all = await punishmentsOf(account);
    expect(all.map(({ reason: why, endedAt }) => [why, endedAt === null])).toEqual([
      ["Unattended macroing", false],
      ["For ever, and ever", true],
    ]);
  });

  it("a ban ends when it is lifted in the game, and names no appeal address while appeals are disabled", async () => {
    const account = freshAccount();
    await banInGame(account);
    shard.simulator.emit("account.audit", { acct: account.toUpperCase(), action: "unbanned" });
    await waitUntil("the ban is over", async () => (await inForce(account)) === null);
    const setting = (appeals_enabled: boolean) =>
      ask(admin, "PUT /admin/settings", { appeals_enabled });
    await setting(false);
    await ban(account);
    expect(shard.account(account).ban?.reason).toBe("Speed hack");
    const player = await signIn(shard.server);
    await shard.link(player, account);
    expect(await open(player, account)).toEqual({
      status: 403,
      body: { error: "The site does not accept appeals at present" },
    });
    await setting(true);
    expect((await open(player, account)).status).toBe(201);
  });
});

describe("POST /player/appeals", () => {
  it("opens an appeal against the ban in force for the account in any letter case, and names no staff", async () => {
    const [player, account] = [await signIn(shard.server), freshAccount()];
    await shard.link(player, account);
    await ban(account);
    const padded = { account: account.toUpperCase(), reason: `  ${reason}\n` };
    const opened = await ask(player, "POST /player/appeals", padded);
    const appeal = {
      id: anyId,
      game: "shard",
      account,
      punishment: {
        id: anyId,
        kind: "ban",
        reason: "Speed hack",
        issued_at: time,
        expires_at: time,
      },
      reason,
      state: "open",
      assignee: null,
      created_at: time,
      updated_at: time,
      decided_at: null,
      decision_note: null,
      messages_count: 0,
    };
    expect(opened).toEqual({ status: 201, body: { appeal } });
    const { id } = (opened.body as { appeal: { id: number } }).appeal;
    expect(await ask(player, "GET /player/appeals")).toEqual({
      status: 200,
      body: { appeals: [{ ...appeal, id }] },
    });
    expect(await ask(player, `GET /player/appeals/${id}`)).toEqual({
      status: 200,
      body: { appeal: { ...appeal, id }, messages: [] },
    });
    expect((await shard.logged("appeal.opened")).at(-1)).toMatchObject({
      actorId: player.userId,
      target: `appeal ${id}`,
      detail: { account, punishment: anyId },
    });
  });

  it("answers the same 403 for another user's account, an unlinked account and an unknown account", async () => {
    const { account } = await openAppeal();
    const stranger = await signIn(shard.server);
    const answers = await Promise.all(
      [account, freshAccount(), "no-such-account"].map((name) => open(stranger, name)),
    );
    const refused = { status: 403, body: { error: "This account is not linked to you" } };
    expect(answers).toEqual([refused, refused, refused]);
  });

  it("answers 409 for an account without a known punishment", async () => {
    const [player, account] = [await signIn(shard.server), freshAccount()];
    await shard.link(player, account);
    expect(await open(player, account)).toEqual({
      status: 409,
      body: { error: "No punishment of this account is known" },
    });
  });

  it("answers 429 for a week after a rejection, with the remaining time in Retry-After", async () => {
    const appeal = await openAppeal();
    await decide(appeal, { outcome: "rejected", note: "The log is clear." });
    const refused = await shard.as(appeal.player, "POST /player/appeals", {
      body: { account: appeal.account, reason },
    });
    expect([refused.status, refused.body]).toEqual([
      429,
      { error: "An appeal against this punishment was rejected" },
    ]);
    const seconds = retryAfter(refused);
    expect(seconds).toBeGreaterThan(7 * 86_400 - 60);
    expect(seconds).toBeLessThanOrEqual(7 * 86_400);
    await shard.server.context.models.Appeal.update(
      { decidedAt: new Date(Date.now() - 8 * 86_400_000) },
      { where: { id: appeal.id } },
    );
    expect((await open(appeal.player, appeal.account)).status).toBe(201);
  });

  it.each([
    [{ reason }, "account", "account is required"],
    [{ account: "maple" }, "reason", "reason is required"],
    [
      { account: "maple", reason: `${" ".repeat(40)}too short` },
      "reason",
      "reason must have at least 20 characters",
    ],
    [
      { account: "maple", reason: "é".repeat(4001) },
      "reason",
      "reason must have at most 4000 characters",
    ],
    [{ account: 7, reason }, "account", "account must be a string"],
    [{ account: "maple", reason: [reason] }, "reason", "reason must be a string"],
  ])("answers 400 to the malformed body %j", async (body, path, message) => {
    expect(await ask(moderator, "POST /player/appeals", body)).toEqual(fault(path, message));
  });
});

describe("the owner of an appeal", () => {
  it("can reply and withdraw after unlinking the account, and can write nothing after the withdrawal", async () => {
    const appeal = await openAppeal();
    await shard.server.context.models.ShardLink.destroy({
      where: { accountKey: appeal.account.toLowerCase() },
    });
    expect((await ofOwner(appeal)).appeal).toMatchObject({ id: appeal.id, state: "open" });
    const said = await say(appeal, { body: "  I can send a video. " });
    expect(said).toEqual({
      status: 201,
      body: {
        message: { id: anyId, author: "player", body: "I can send a video.", created_at: time },
        appeal: expect.objectContaining({ state: "open", messages_count: 1 }),
      },
    });
    expect(await say(appeal, { withdraw: true })).toEqual({
      status: 201,
      body: { message: null, appeal: expect.objectContaining({ state: "withdrawn" }) },
    });
    const closed = { status: 409, body: { error: "The appeal is withdrawn" } };
    expect(await say(appeal, { body: "Wait, no" })).toEqual(closed);
    expect(await say(appeal, { withdraw: true })).toEqual(closed);
    expect(await write(appeal, { body: "Too late" })).toEqual(closed);
    expect(await decide(appeal, { outcome: "rejected", note: "Too late" })).toEqual(closed);
    expect((await open(appeal.player, appeal.account)).status).toBe(403);
  });

  it("is answered 400 to a malformed message, which is not counted", async () => {
    const appeal = await openAppeal();
    expect(await say(appeal, {})).toEqual(fault("", "body or withdraw is required"));
    expect(await say(appeal, { body: "Both", withdraw: true })).toEqual(
      fault("", "withdraw and body cannot be combined"),
    );
    expect(await say(appeal, { body: "A note", internal: true })).toEqual(
      fault("internal", "internal must be [false]"),
    );
    expect(await say(appeal, { body: "x" })).toEqual(
      fault("body", "body must have at least 2 characters"),
    );
    expect((await ofOwner(appeal)).appeal["messages_count"]).toBe(0);
  });

  it("can write a limited number of messages an hour, and refused messages do not count", async () => {
    const appeal = await openAppeal();
    for (const n of makeList(6, String)) expect((await say(appeal, { body: n })).status).toBe(400);
    for (const n of makeList(4, String)) {
      expect((await say(appeal, { body: `Message ${n}` })).status).toBe(201);
    }
    expect((await say(appeal, { body: "One too many" })).status).toBe(429);
    expect((await ofOwner(appeal)).appeal["messages_count"]).toBe(4);
    expect(await say(appeal, { withdraw: true })).toMatchObject({
      status: 201,
      body: { appeal: { state: "withdrawn" } },
    });
  });

  it("is the only user who can read the appeal, and all others get the 404 of an unknown appeal", async () => {
    const appeal = await openAppeal();
    const unknown = { status: 404, body: { error: "Unknown appeal" } };
    for (const who of [await signIn(shard.server), moderator, admin]) {
      for (const id of [appeal.id, 999_999, 9_007_199_254_740_991]) {
        expect(await ask(who, `GET /player/appeals/${id}`)).toEqual(unknown);
        expect(await ask(who, `POST /player/appeals/${id}/messages`, { body: "Hi!" })).toEqual(
          unknown,
        );
      }
      expect(await ask(who, "GET /player/appeals")).toEqual({ status: 200, body: { appeals: [] } });
    }
    const answered = await shard.as(appeal.player, `GET /player/appeals/${appeal.id}`);
    expect(answered.headers.get("cache-control")).toBe("private, no-store");
    expect(answered.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  });
});

describe("staff", () => {
  it("see the appellant and the issuer of the ban, and the first member who replies becomes the assignee", async () => {
    const appeal = await openAppeal(ban);
    expect(await write(appeal, { body: "Please send us the video." })).toEqual({
      status: 201,
      body: {
        message: {
          id: anyId,
          author: "staff",
          body: "Please send us the video.",
          created_at: time,
          internal: false,
          author_name: moderator.username,
        },
      },
    });
    const { appeal: seen } = await ofStaff(appeal);
    expect(seen).toMatchObject({
      user: { id: appeal.player.userId, username: appeal.player.username },
      punishment: { issued_by: { id: issuer.userId, username: issuer.username } },
      state: "assigned",
      assignee: { id: moderator.userId, username: moderator.username },
      messages_count: 1,
      unban: null,
    });
    expect(await write(appeal, { assign: true }, admin)).toEqual({
      status: 201,
      body: { message: null },
    });
    expect((await ofStaff(appeal)).appeal["assignee"]).toMatchObject({ id: admin.userId });
    const ofAdmin = await ask(admin, `GET /admin/appeals?assignee=${admin.userId}`);
    expect(ofAdmin.body).toMatchObject({ appeals: [{ id: appeal.id }] });
  });

  it("can write internal notes, which appear in no answer to the owner", async () => {
    const appeal = await openAppeal();
    await write(appeal, { body: "Please send us the video." });
    const before = await ofOwner(appeal);
    const secret = "Known cheater, third account";
    const note = await write(appeal, { body: secret, internal: true });
    expect(note).toMatchObject({ status: 201, body: { message: { internal: true } } });
    expect(await ofOwner(appeal)).toEqual(before);
    expect((await ofStaff(appeal)).appeal["messages_count"]).toBe(2);
    expect((await ofStaff(appeal)).messages.map(({ body }) => body)).toContain(secret);
    const said = await say(appeal, { body: "Here it is." });
    expect(said.body).toMatchObject({ message: { id: 2 }, appeal: { messages_count: 2 } });
    await write(appeal, { body: secret, internal: true });
    await write(appeal, { body: "Thank you." });
    const { appeals } = (await ask(appeal.player, "GET /auth/me/export")).body as {
      appeals: { messages: unknown[] }[];
    };
    for (const own of [await ofOwner(appeal), ...appeals]) {
      expect(own.messages).toMatchObject([1, 2, 3].map((id) => ({ id })));
    }
    await decide(appeal, { outcome: "rejected", note: "The log is clear." });
    expect((await write(appeal, { body: `${secret}!`, internal: true })).status).toBe(201);
    const ways = ["/player/appeals", `/player/appeals/${appeal.id}`, "/auth/me"];
    for (const way of ways) {
      const { text } = await shard.as(appeal.player, `GET ${way}`);
      expect(text).not.toContain("cheater");
      expect(text).not.toMatch(/internal|author_name|issued_by|notes/);
      expect(text).not.toContain(moderator.username);
    }
    const { text: log } = await shard.as(admin, "GET /admin/activity?action=appeal.");
    expect(log).not.toContain("cheater");
    expect(log).toContain("appeal.noted");
  });

  it("list appeals by state and by assignee, oldest first, with the counts of all states", async () => {
    const [one, two] = [await openAppeal(), await openAppeal()];
    await write(two, { body: "We look into it." });
    interface Queue {
      readonly appeals: { id: number; state: string }[];
      readonly counts: Record<string, number>;
    }
    const queue = async (query: string) =>
      (await ask(moderator, `GET /admin/appeals${query}`)).body as Queue;
    const all = await queue("?limit=100");
    const ids = all.appeals.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids).toEqual(expect.arrayContaining([one.id, two.id]));
    const assigned = await queue("?state=assigned&limit=100");
    expect(assigned.appeals.every(({ state }) => state === "assigned")).toBe(true);
    expect(assigned.counts).toEqual(all.counts);
    expect(Object.keys(all.counts)).toEqual([
      "open",
      "assigned",
      "accepted",
      "reduced",
      "rejected",
      "withdrawn",
    ]);
    expect(all.counts["assigned"]).toBe(assigned.appeals.length);
    const unassigned = (await queue("?assignee=none&limit=100")).appeals.map(({ id }) => id);
    expect(unassigned).toContain(one.id);
    expect(unassigned).not.toContain(two.id);
    expect((await queue("?limit=1&offset=1")).appeals.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await queue("?state=&assignee=")).appeals.length).toBe(ids.length);
    for (const query of ["state=closed", "assignee=me", "limit=0", "limit=101", "offset=-1"]) {
      expect((await ask(moderator, `GET /admin/appeals?${query}`)).status).toBe(400);
    }
  });

  it("cannot decide on an appeal against a ban that they issued, unless they are administrators", async () => {
    const appeal = await openAppeal(ban);
    const rejected = { outcome: "rejected", note: "The log is clear." };
    expect(await decide(appeal, rejected, issuer)).toEqual({
      status: 403,
      body: { error: "You are a party to this appeal: another staff member must decide it" },
    });
    const byAdmin = await openAppeal((account) => ban(account, admin));
    expect((await decide(byAdmin, rejected, admin)).status).toBe(200);
    expect((await decide(appeal, rejected)).status).toBe(200);
  });

  it("cannot decide on an account that they have linked, not even as administrators", async () => {
    const appeal = await openAppeal();
    const owner = await signIn(shard.server, { role: "admin" });
    const { models } = shard.server.context;
    const { account } = await models.Appeal.findByPk(appeal.id, { rejectOnEmpty: true });
    const accountKey = account.toLowerCase();
    await models.ShardLink.upsert({
      account,
      accountKey,
      userId: owner.userId,
      linkedAt: new Date(),
    });
    const accepted = { outcome: "accepted", note: "The log is clear.", unban: true };
    expect(await decide(appeal, accepted, owner)).toEqual({
      status: 403,
      body: { error: "You are a party to this appeal: another staff member must decide it" },
    });
  });

  it("make one decision if twelve decisions are sent at once, and the owner reads the note of the stored decision", async () => {
    const appeal = await openAppeal();
    const decisions = await Promise.all(
      makeList(12, (n) =>
        decide(appeal, { outcome: n % 2 ? "rejected" : "reduced", note: `Decision ${n}` }),
      ),
    );
    const won = decisions.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(decisions.filter(({ status }) => status === 409)).toHaveLength(11);
    const [winner] = won;
    const { body } = winner as { body: { appeal: Record<string, unknown> } };
    expect(body).toMatchObject({ unban: null });
    const decided = body.appeal;
    expect((await ofOwner(appeal)).appeal).toMatchObject({
      state: decided["state"],
      decision_note: decided["decision_note"],
      decided_at: time,
    });
  });

  it.each([
    [{ note: "Why not" }, "outcome", "outcome is required"],
    [{ outcome: "rejected" }, "note", "note is required"],
    [{ outcome: "withdrawn", note: "No" }, "outcome", /^outcome must be one of/],
    [{ outcome: "reduced", note: "No", unban: true }, "unban", /accepted/],
    [{ outcome: "accepted", note: "Yes", unban: "yes" }, "unban", "unban must be a boolean"],
  ])("are answered 400 to the invalid decision %j", async (body, path, message) => {
    const appeal = (await shard.server.context.models.Appeal.findOne({ order: ["id"] })) as {
      id: number;
    };
    expect(await ask(moderator, `POST /admin/appeals/${appeal.id}/decision`, body)).toEqual({
      status: 400,
      body: {
        error: "Validation failed",
        errors: [{ path, message: expect.stringMatching(message) }],
      },
    });
  });
});

describe("an accepted appeal with an unban", () => {
  const accepted = { outcome: "accepted", note: "It was a mistake of ours.", unban: true };

  it("lifts the ban once before the request with the decision is answered, in the name of the user who decided", async () => {
    const appeal = await openAppeal();
    const decided = await decide(appeal, accepted);
    expect(decided).toMatchObject({
      status: 200,
      body: { appeal: { state: "accepted" }, unban: { status: "done", reason: null } },
    });
    expect(shard.account(appeal.account).ban).toBeNull();
    expect(await inForce(appeal.account)).toBeNull();
    const key = `appeal:${appeal.id}:unban`;
    expect(
      findReceivedCommands(shard, "/v1/unban").filter((command) => command.key === key),
    ).toMatchObject([
      {
        actor: { userId: moderator.userId, username: moderator.username, role: "moderator" },
        body: { account: appeal.account },
      },
    ]);
    const target = `gameAccount ${appeal.account}`;
    const lines = (await shard.logged("shard.unban")).filter((line) => line.target === target);
    expect(lines).toEqual([
      {
        actorId: moderator.userId,
        target,
        detail: { account: appeal.account, appeal: appeal.id, outcome: "done" },
      },
    ]);
  });

  itInLongLane(
    "waits while the shard is down, and lifts the ban when the shard comes back",
    async () => {
      const appeal = await openAppeal(ban);
      shard.simulator.faults.trigger("vanish", { ms: 0 });
      const decided = await decide(appeal, accepted);
      expect(decided).toMatchObject({
        status: 200,
        body: {
          appeal: { state: "accepted" },
          unban: { status: "queued", reason: "The game server cannot be reached" },
        },
      });
      expect((await ofOwner(appeal)).appeal).toMatchObject({ state: "accepted" });
      await shard.simulator.comeBack();
      await waitUntil("it is done", async () => {
        const { unban } = (await ofStaff(appeal)).appeal as { unban: { status: string } };
        return unban.status === "done";
      });
      expect(shard.account(appeal.account).ban).toBeNull();
    },
  );

  it("stays accepted and reports a failed unban if the shard refuses for good", async () => {
    const appeal = await openAppeal();
    shard.simulator.faults.trigger("status", {
      path: "/v1/unban",
      status: 403,
      code: "PROTECTED",
    });
    expect(await decide(appeal, accepted)).toMatchObject({
      status: 200,
      body: {
        appeal: { state: "accepted" },
        unban: { status: "failed", reason: "The game server protects this account" },
      },
    });
  });

  it("lifts the game's newer ban that replaced the appealed ban, even after the appealed ban expired", async () => {
    const appeal = await openAppeal(ban);
    const { id } = (await ofStaff(appeal)).appeal["punishment"] as { id: number };
    await banAnew(appeal.account);
    await expire(id);
    expect((await decide(appeal, accepted)).body).toMatchObject({ unban: { status: "done" } });
    expect(shard.account(appeal.account).ban).toBeNull();
    expect(await inForce(appeal.account)).toBeNull();
  });

  itInLongLane(
    "sends no command if the ban has ended, and lifts no ban that was made after the decision",
    async () => {
      const over = await openAppeal();
      const anew = await openAppeal();
      await ask(admin, "POST /admin/shard/unban", { account: over.account });
      const before = findReceivedCommands(shard, "/v1/unban").length;
      expect((await decide(over, accepted)).body).toMatchObject({ unban: { status: "done" } });
      expect(findReceivedCommands(shard, "/v1/unban").length).toBe(before);
      shard.simulator.faults.trigger("status", { path: "/v1/unban", times: 0 });
      expect((await decide(anew, accepted)).body).toMatchObject({ unban: { status: "queued" } });
      await banAnew(anew.account);
      shard.simulator.faults.clear();
      await waitUntil("it is settled", async () => {
        const { unban } = (await ofStaff(anew)).appeal as { unban: { status: string } };
        return unban.status !== "queued";
      });
      expect((await ofStaff(anew)).appeal["unban"]).toEqual({
        status: "failed",
        reason: "The account has been banned again since the decision",
      });
      expect(shard.account(anew.account).ban).not.toBeNull();
    },
  );

  itInLongLane(
    "waits while a newer ban is on its way to the shard, so that the unban does not lift that ban",
    async () => {
      const appeal = await openAppeal();
      shard.simulator.faults.trigger("status", { path: "/v1/unban", times: 0 });
      expect((await decide(appeal, accepted)).body).toMatchObject({ unban: { status: "queued" } });
      const { account } = appeal;
      const { row: ordered } = await storeSiteBan(
        { account, issuedBy: issuer.userId },
        shard.server.context,
      );
      const before = findReceivedCommands(shard, "/v1/unban").length;
      shard.simulator.faults.clear();
      await waitUntil("it waits", async () => {
        const { unban } = (await ofStaff(appeal)).appeal as { unban: { reason: string | null } };
        return unban.reason === "The account is being banned again";
      });
      expect(findReceivedCommands(shard, "/v1/unban").length).toBe(before);
      await ordered.destroy();
      await waitUntil("it is done", async () => shard.account(account).ban === null);
    },
  );

  itInLongLane(
    "lifts the ban once, even if the owner and the moderator who decided are deleted first",
    async () => {
      const decider = await signIn(shard.server, { role: "moderator" });
      const appeal = await openAppeal();
      const before = findReceivedCommands(shard, "/v1/unban").length;
      shard.simulator.faults.trigger("vanish", { ms: 0 });
      expect((await decide(appeal, accepted, decider)).body).toMatchObject({
        unban: { status: "queued" },
      });
      for (const { userId } of [appeal.player, decider]) {
        expect((await ask(admin, `DELETE /admin/users/${userId}`)).status).toBe(200);
      }
      expect((await ask(admin, `GET /admin/appeals/${appeal.id}`)).status).toBe(404);
      expect(shard.account(appeal.account).ban).not.toBeNull();
      await shard.simulator.comeBack();
      const lines = async () =>
        (await shard.logged("shard.unban")).filter(({ detail }) => detail["appeal"] === appeal.id);
      await waitUntil("it is done", async () => (await lines()).length > 0);
      expect(shard.account(appeal.account).ban).toBeNull();
      expect(await inForce(appeal.account)).toBeNull();
      const sent = findReceivedCommands(shard, "/v1/unban").slice(before);
      expect(sent.filter(({ carriedOut }) => carriedOut)).toMatchObject([
        { key: `appeal:${appeal.id}:unban`, actor: { username: serviceActor.username } },
      ]);
      expect(await lines()).toEqual([
        {
          actorId: decider.userId,
          target: `gameAccount ${appeal.account}`,
          detail: { account: appeal.account, appeal: appeal.id, outcome: "done" },
        },
      ]);
    },
  );
});
