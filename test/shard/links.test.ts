import { randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { unlinkUserJob } from "../../jobs/shard/unlink-user.job.ts";
import { unlinkDeletedUser } from "../../shared/shard/links/unlinking.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { startTestIngest } from "../support/shard/ingest.ts";
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
    server: {
      shard: impatient,
      environment: { RL_LINK_CODE_MAX: "6", RL_LINK_CODE_IP_MAX: "1000" },
    },
  });
  admin = await signIn(shard.server, { role: "admin" });
});
afterEach(() => shard.simulator.faults.clear());
afterAll(() => shard.stop());

let minted = 0;
function codeFor(account: string): string {
  const code = `CODE${++minted}`;
  shard.simulator.world.codes.set(code, shard.account(account));
  return code;
}

const redeem = (who: SignedIn, code: unknown, key?: string) =>
  shard.as(who, "POST /player/shard/link", {
    body: { code },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const linksOf = async (who: SignedIn) =>
  (await shard.as(who, "GET /player/shard/accounts")).body as { account: string }[];
const unlinkedHere = (account: string) =>
  shard.server.context.models.ShardLink.destroy({ where: { accountKey: account.toLowerCase() } });

describe("POST /player/shard/link", () => {
  it("links the account that the code belongs to, with or without white space around the code", async () => {
    const player = await signIn(shard.server);
    const { status, body } = await redeem(player, `  ${codeFor("maple")}\n`);
    const link = shard.simulator.world.links.get("maple");
    const expected = { account: "maple", linkedAt: new Date(link?.linkedAt ?? 0).toISOString() };
    expect([status, body]).toEqual([200, expected]);
    expect(link?.userId).toBe(player.userId);
    expect(await linksOf(player)).toEqual([expected]);
    expect((await shard.logged("shard.link")).at(-1)).toEqual({
      actorId: player.userId,
      target: `user ${player.userId}`,
      detail: { account: "maple", outcome: "done" },
    });
    const features = await shard.as(player, "GET /public/shard/features");
    expect(features.body).toMatchObject({ level: "player" });
  });

  it("answers 400 for a code that is unknown or used up", async () => {
    const player = await signIn(shard.server);
    const code = codeFor("O'Neil_77");
    expect((await redeem(player, code)).status).toBe(200);
    for (const used of [code, "NEVERWAS"]) {
      const { status, body } = await redeem(player, used);
      expect([status, body]).toEqual([400, { error: "Unknown or expired code" }]);
    }
  });

  it("answers 409 for an account of another user, and changes nothing", async () => {
    const player = await signIn(shard.server);
    const { status, body } = await redeem(player, codeFor("maple"));
    expect([status, body]).toEqual([409, { error: "The game account is linked to another user" }]);
    expect(await linksOf(player)).toEqual([]);
  });

  it.each(["", "   ", "x".repeat(65), 7, null, undefined])(
    "answers 400 to the code %j",
    async (code) => {
      const player = await signIn(shard.server);
      const before = shard.simulator.received.calls.length;
      const { status, body } = await redeem(player, code);
      expect([status, body]).toMatchObject([400, { errors: [{ path: "code" }] }]);
      expect(shard.simulator.received.calls.length).toBe(before);
    },
  );

  it("limits the requests of each user separately", async () => {
    const [player, other] = [await signIn(shard.server), await signIn(shard.server)];
    const statuses = [];
    for (let times = 0; times < 7; times++) statuses.push((await redeem(player, "GUESS")).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
    expect((await redeem(other, "GUESS")).status).toBe(400);
  });

  it("links once per idempotency key, even if the first answer was lost", async () => {
    const player = await signIn(shard.server);
    const name = shard.simulator.world.accounts.values().at(-1)?.name ?? "";
    const code = codeFor(name);
    shard.simulator.faults.trigger("hang", { path: "/v1/links/redeem", carryOut: true });
    expect((await redeem(player, code, "k")).status).toBe(503);
    expect(await linksOf(player)).toEqual([]);
    expect((await redeem(player, code, "k")).status).toBe(200);
    expect(await linksOf(player)).toMatchObject([{ account: name }]);
    const sent = findReceivedCommands(shard, "/v1/links/redeem").slice(-2);
    expect(sent.map(({ carriedOut }) => carriedOut)).toEqual([true, false]);
  });

  it("does not relink an account that another user has linked since, however often it is repeated", async () => {
    const [seller, buyer] = [await signIn(shard.server), await signIn(shard.server)];
    const name = shard.simulator.world.accounts.values().at(-2)?.name ?? "";
    const code = codeFor(name);
    expect((await redeem(seller, code, "k")).status).toBe(200);
    await shard.link(buyer, name);
    const { status, body } = await redeem(seller, code, "k");
    expect([status, body]).toEqual([400, { error: "Unknown or expired code" }]);
    expect(await linksOf(seller)).toEqual([]);
    expect(await linksOf(buyer)).toMatchObject([{ account: name }]);
  });
});

describe("POST /admin/shard/link", () => {
  it("links the account to the caller, like the route for players", async () => {
    const player = await signIn(shard.server);
    await unlinkedHere("maple");
    shard.simulator.world.links.delete("maple");
    const link = (code: string) => shard.as(player, "POST /admin/shard/link", { body: { code } });
    const { status, body } = await link(codeFor("maple"));
    const expected = { account: "maple", linkedAt: expect.stringMatching(/Z$/) };
    expect([status, body]).toEqual([200, expected]);
    expect(await linksOf(player)).toEqual([expected]);
    const unknown = await link("NEVERWAS");
    expect([unknown.status, unknown.body]).toEqual([400, { error: "Unknown or expired code" }]);
    await unlinkedHere("maple");
    shard.simulator.world.links.delete("maple");
  });
});

describe("DELETE /admin/users/:id/shard/link/:account", () => {
  const unlink = (user: { userId: number }, account: string) =>
    shard.as(admin, `DELETE /admin/users/${user.userId}/shard/link/${encodeURIComponent(account)}`);

  it("unlinks on the shard and on the site, in the name of the administrator", async () => {
    const player = await signIn(shard.server);
    await shard.link(player, "maple");
    const { status, body } = await unlink(player, "MAPLE");
    expect([status, body]).toEqual([200, { account: "maple", unlinked: true }]);
    expect(shard.simulator.world.links.has("maple")).toBe(false);
    expect(await linksOf(player)).toEqual([]);
    expect(findReceivedCommands(shard, "/v1/links/maple").at(-1)?.actor).toEqual({
      userId: admin.userId,
      username: admin.username,
      role: "admin",
    });
    expect((await shard.logged("shard.unlink")).at(-1)).toEqual({
      actorId: admin.userId,
      target: `user ${player.userId}`,
      detail: { account: "maple", outcome: "done" },
    });
    expect((await unlink(player, "maple")).status).toBe(404);
  });

  it("answers 404 for another user's account and for an unknown user, without a call", async () => {
    const [player, other] = [await signIn(shard.server), await signIn(shard.server)];
    await shard.link(other, "maple");
    const before = shard.simulator.received.calls.length;
    expect((await unlink(player, "maple")).body).toEqual({
      error: "The game account is not linked to this user",
    });
    expect((await unlink({ userId: 999_999 }, "maple")).body).toEqual({ error: "Unknown user" });
    expect((await unlink(other, "x".repeat(65))).status).toBe(400);
    expect(shard.simulator.received.calls.length).toBe(before);
    expect(await linksOf(other)).toMatchObject([{ account: "maple" }]);
  });

  it("answers 403 for an account of the game's staff, and keeps the link", async () => {
    const player = await signIn(shard.server);
    await shard.link(player, "gm_aldor");
    const { status, body } = await unlink(player, "gm_aldor");
    expect([status, body]).toEqual([403, { error: "The game server protects this account" }]);
    expect(await linksOf(player)).toMatchObject([{ account: "gm_aldor" }]);
  });

  it("deletes a link that the shard no longer has", async () => {
    const player = await signIn(shard.server);
    await shard.link(player, "maple");
    shard.simulator.world.links.delete("maple");
    const { status, body } = await unlink(player, "maple");
    expect([status, body]).toEqual([200, { account: "maple", unlinked: false }]);
    expect(await linksOf(player)).toEqual([]);
  });
});

describe("an account that is unlinked in the game", () => {
  it("is unlinked on the site", async () => {
    const player = await signIn(shard.server);
    await shard.link(player, "maple");
    const ingest = await startTestIngest(shard.server.context);
    const payload = { acct: "Maple", webId: player.userId, by: "player" };
    shard.simulator.world.links.delete("maple");
    shard.simulator.emit("account.unlinked", payload);
    await waitUntil("the mirror has moved", async () => (await linksOf(player)).length === 0);
    await ingest.stop();
    const features = await shard.as(player, "GET /public/shard/features");
    expect(features.body).toMatchObject({ level: "logged_in" });
  });

  it("is unlinked on the site if the shard has since linked it to a user unknown to the site", async () => {
    const { simulator, server } = shard;
    const player = await signIn(server);
    await shard.link(player, "maple");
    const stranger = { account: "maple", userId: 9_999_999, linkedAt: 1 };
    simulator.world.links.set("maple", stranger);
    const ingest = await startTestIngest(server.context);
    await waitUntil("the list is taken in", async () => (await linksOf(player)).length === 0);
    await ingest.stop();
    expect((await shard.as(player, "GET /player/shard/roster/maple")).status).toBe(403);
    simulator.world.links.delete("maple");
  });

  it("stays unlinked if an older list of links arrives afterwards", async () => {
    const { simulator, server } = shard;
    const player = await signIn(server);
    await shard.link(player, "maple");
    await shard.link(player, "O'Neil_77");
    await unlinkedHere("O'Neil_77");
    simulator.faults.trigger("hold", { path: "/v1/links" });
    const asked = simulator.received.calls.length;
    const ingest = await startTestIngest(server.context);
    await waitUntil("the list is asked for", () =>
      simulator.received.calls.slice(asked).some(({ path }) => path === "/v1/links"),
    );
    simulator.world.links.delete("maple");
    simulator.emit("account.unlinked", { acct: "Maple", webId: player.userId, by: "player" });
    await waitUntil("the event is taken in", async () => (await linksOf(player)).length === 0);
    simulator.faults.trigger("release");
    await waitUntil("the list is taken in", async () => (await linksOf(player)).length > 0);
    expect(await linksOf(player)).toMatchObject([{ account: "O'Neil_77" }]);
    await ingest.stop();
  });
});

describe("a deleted user", () => {
  const isLinked = (account: string) => shard.simulator.world.links.has(account);

  it("is unlinked on the shard as soon as the shard is back, and no other user is unlinked", async () => {
    const [gone, other] = [await signIn(shard.server), await signIn(shard.server)];
    await unlinkedHere("O'Neil_77");
    await shard.link(gone, "maple");
    await shard.link(gone, "gm_aldor");
    await shard.link(other, "O'Neil_77");
    shard.simulator.faults.trigger("vanish", { ms: 0 });
    expect((await shard.as(admin, `DELETE /admin/users/${gone.userId}`)).status).toBe(200);
    expect(isLinked("maple")).toBe(true);
    await shard.simulator.comeBack();
    const worker = await startTestWorker(shard.server, ["upkeep"]);
    await waitUntil("the accounts are unlinked", () => !isLinked("maple"));
    await worker.stop();
    expect([isLinked("gm_aldor"), isLinked("o'neil_77")]).toEqual([true, true]);
    const lines = await shard.logged("shard.unlink");
    expect(lines.filter(({ target }) => target === `user ${gone.userId}`)).toEqual(
      expect.arrayContaining([
        {
          actorId: null,
          target: `user ${gone.userId}`,
          detail: { outcome: "done" },
        },
      ]),
    );
  });

  it("is also unlinked if the user deleted their own account", async () => {
    const gone = await signIn(shard.server);
    await shard.link(gone, "maple");
    const left = await shard.as(gone, "DELETE /auth/me/account");
    expect([left.status, left.body]).toEqual([200, { id: gone.userId }]);
    const worker = await startTestWorker(shard.server, ["upkeep"]);
    await waitUntil("the account is unlinked", () => !isLinked("maple"));
    await worker.stop();
  });

  it("makes the unlinking job fail, so that it is retried, while the shard is away", async () => {
    shard.simulator.faults.trigger("status", { status: 503, code: "SHARD_DOWN", times: 0 });
    await expect(unlinkDeletedUser(1, shard.server.context)).rejects.toMatchObject({
      code: "SHARD_DOWN",
    });
  });

  it("is named in the log if the shard was unreachable at each attempt to remove the link", async () => {
    const jobId = randomUUID();
    await shard.server.context.queue.enqueue("shard.unlink-user", { userId: 4711 }, { id: jobId });
    await changeJob(shard.server, jobId, { state: "active", retryCount: 3 });
    const last = { jobId, retryCount: 3, cause: new Error("the shard is away") };
    await unlinkUserJob.onExhausted?.({ userId: 4711 }, shard.server.context, last);
    expect((await shard.logged("shard.unlink")).at(-1)).toEqual({
      actorId: null,
      target: "user 4711",
      detail: { outcome: "given up" },
    });
  });

  it("causes no call if no shard was ever linked", overSidecar, async () => {
    await changeSidecarLink(shard.server, { enabled: false, tokenSealed: null });
    await shard.server.context.shard.reload();
    await expect(unlinkDeletedUser(1, shard.server.context)).resolves.toBeUndefined();
  });
});
