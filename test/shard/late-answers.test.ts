import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { acquireSourceOwnership } from "../../shared/platform/ingest/ownership.ts";
import { unlinkDeletedUser } from "../../shared/shard/links/unlinking.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { deleteUser } from "../support/factories/users.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import {
  type UserChange,
  changeUserDuringRequest,
  waitUntilLockWaits,
} from "../support/races/overtake.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { startTestIngest, storeShardBatch } from "../support/shard/ingest.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
let anna: SignedIn;
let bert: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard({ server: { shard: { connectMs: 1_000, callMs: 10_000 } } });
  admin = await signIn(shard.server, { role: "admin" });
  await shard.as(admin, "PUT /admin/settings", { body: { game_account_signup: true } });
  [anna, bert] = [await signIn(shard.server), await signIn(shard.server)];
});
afterEach(async () => {
  shard.simulator.faults.clear();
  shard.simulator.world.links.clear();
  await shard.server.context.models.ShardLink.destroy({ where: {} });
});
afterAll(() => shard.stop());

const linksOf = async (who: SignedIn) =>
  ((await shard.as(who, "GET /player/shard/accounts")).body as { account: string }[]).map(
    ({ account }) => account,
  );
const roster = async (who: SignedIn, account: string) =>
  (await shard.as(who, `GET /player/shard/roster/${account}`)).status;

/**
 * Sends a command that the shard executes at once. The answer is held until `meanwhile` has ended.
 */
async function answeredLate<T>(
  path: string,
  send: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  const before = findReceivedCommands(shard, path).length;
  shard.simulator.faults.trigger("hold", { path });
  const answer = send();
  await waitUntil("the command has come", () => findReceivedCommands(shard, path).length > before);
  await meanwhile();
  shard.simulator.faults.trigger("release");
  return answer;
}

/** An epoch that no simulator uses. */
const epoch = "00000000-0000-4000-8000-00000000dead";

const eventFrame = (seq: number, kind: string, payload: EventFrame["payload"]): EventFrame => ({
  type: "event",
  epoch,
  seq,
  bootId: null,
  eventKey: null,
  kind,
  t: Date.now(),
  replay: false,
  payload,
});

const redeem = (who: SignedIn, account: string) => {
  shard.simulator.world.codes.set("CODE", shard.account(account));
  return shard.as(who, "POST /player/shard/link", { body: { code: "CODE" } });
};

const redeemLate = (account: string, meanwhile: () => Promise<unknown>) =>
  answeredLate("/v1/links/redeem", () => redeem(anna, account), meanwhile);

describe("a late answer of the shard", () => {
  it("does not link an account that another user has linked since", async () => {
    const { status, body } = await redeemLate("maple", () => shard.link(bert, "maple"));
    expect([status, body]).toEqual([400, { error: "Unknown or expired code" }]);
    expect([await linksOf(anna), await linksOf(bert)]).toEqual([[], ["maple"]]);
    expect([await roster(anna, "maple"), await roster(bert, "maple")]).toEqual([403, 200]);
  });

  it("does not link an account that was unlinked on the site or in the game since", async () => {
    const { models } = shard.server.context;
    const here = await redeemLate("maple", async () => {
      await shard.link(anna, "maple");
      shard.simulator.world.links.delete("maple");
      await models.ShardLink.destroy({ where: { accountKey: "maple" } });
    });
    expect([here.status, await linksOf(anna)]).toEqual([400, []]);
    const ingest = await startTestIngest(shard.server.context);
    const inGame = await redeemLate("maple", async () => {
      await waitUntil("the link is heard of", async () => (await linksOf(anna)).length === 1);
      shard.simulator.world.links.delete("maple");
      shard.simulator.emit("account.unlinked", { acct: "maple", webId: anna.userId, by: "player" });
      await waitUntil("its end is heard of", async () => (await linksOf(anna)).length === 0);
    });
    await ingest.stop();
    expect([inGame.status, await linksOf(anna)]).toEqual([400, []]);
  });

  it("is stored if the event of the same link arrived before it", async () => {
    const ingest = await startTestIngest(shard.server.context);
    const { status, body } = await redeemLate("maple", () =>
      waitUntil("the link is heard of", async () => (await linksOf(anna)).length === 1),
    );
    await ingest.stop();
    const linkedAt = new Date(shard.simulator.world.links.get("maple")?.linkedAt ?? 0);
    expect([status, body]).toEqual([200, { account: "maple", linkedAt: linkedAt.toISOString() }]);
    expect(await linksOf(anna)).toEqual(["maple"]);
  });

  it("does not link a new game account that another user has linked since", async () => {
    const body = { account: "late.made", password: "Tr0ub4dor & three" };
    const made = await answeredLate(
      "/v1/accounts",
      () => shard.as(anna, "POST /player/shard/account", { body }),
      async () => {
        // Hold the list of links, too. Ingest requests it after the account was created, and the list is stale
        // when it arrives.
        shard.simulator.faults.trigger("hold", { path: "/v1/links" });
        const asked = shard.simulator.received.calls.length;
        void waitUntil("the list is asked for", () =>
          shard.simulator.received.calls.slice(asked).some(({ path }) => path === "/v1/links"),
        )
          .then(() => shard.link(bert, "late.made"))
          .then(() => shard.simulator.faults.trigger("release"));
      },
    );
    expect([made.status, made.body]).toEqual([201, { account: "late.made", linked: true }]);
    expect([await linksOf(anna), await linksOf(bert)]).toEqual([[], ["late.made"]]);
  });
});

describe("the state of the shard link", () => {
  const read = (route: string) => shard.as(admin, `GET ${route}`);
  const state = async () =>
    ((await read("/admin/shardlink/config")).body as { status: string }).status;

  it("stays error after a successful call that began before the fault", overSidecar, async () => {
    const { faults, received } = shard.simulator;
    faults.trigger("hold", { path: "/v1/signup-mode" });
    const before = received.calls.length;
    const slow = read("/admin/shardlink/signup-mode");
    await waitUntil("it is asked for", () => received.calls.length > before);
    faults.trigger("protocol", { path: "/v1/towncrier", server: 9 });
    expect((await read("/admin/shardlink/towncrier")).status).toBe(502);
    faults.trigger("release");
    expect((await slow).status).toBe(200);
    expect(await state()).toBe("error");
    expect((await read("/admin/shardlink/signup-mode")).status).toBe(200);
    expect(await state()).not.toBe("error");
  });

  it(
    "is reset by saving the link, even if an older fault is stored while the save waits",
    overSidecar,
    async () => {
      const fault = { name: "control_fault", value: { reason: "of the link before" } };
      const change: UserChange = ({ context }, _, transaction) =>
        context.models.ShardFact.create(fault, { transaction });
      const save = () => shard.as(admin, "PUT /admin/shardlink/config", { body: { protocol: 8 } });
      const saved = await changeUserDuringRequest(
        shard.server,
        { userId: admin.userId, change },
        save,
      );
      expect([saved.status, (saved.body as { status: string }).status]).toEqual([
        200,
        "reconnecting",
      ]);
      expect(await state()).not.toBe("error");
    },
  );

  it("does not make an executed command fail if the state cannot be stored", async () => {
    await query(
      shard.server,
      `create function refuse() returns trigger language plpgsql as
         'begin raise exception ''no room is left''; end'`,
    );
    await query(
      shard.server,
      "create trigger refuse before delete on shard_facts for each statement execute function refuse()",
    );
    const body = { text: "hear" };
    const { status } = await shard.as(admin, "POST /admin/shard/broadcast", { body });
    await query(shard.server, "drop function refuse() cascade");
    expect(status).toBe(200);
  });
});

describe("unlinking", () => {
  const isOn = (account: string) => shard.simulator.world.links.get(account)?.userId;
  const linkOnShard = (who: Pick<SignedIn, "userId">, account: string) =>
    shard.simulator.world.links.set(account.toLowerCase(), {
      account,
      userId: who.userId,
      linkedAt: 1_767_323_045_000,
    });

  it("keeps an account that another user has linked on the shard since, and stores that user as its owner", async () => {
    await shard.link(anna, "maple");
    linkOnShard(bert, "maple");
    const path = `DELETE /admin/users/${anna.userId}/shard/link/maple`;
    const { status, body } = await shard.as(admin, path);
    expect([status, body]).toEqual([200, { account: "maple", unlinked: false }]);
    expect(findReceivedCommands(shard, "/v1/links/maple")).toEqual([]);
    expect([await linksOf(anna), await linksOf(bert)]).toEqual([[], ["maple"]]);
  });

  it("keeps, for a deleted user, an account that another user has linked since", async () => {
    const gone = await signIn(shard.server);
    for (const account of ["maple", "O'Neil_77"]) linkOnShard(gone, account);
    await answeredLate(
      "/v1/links/maple",
      () => unlinkDeletedUser(gone.userId, shard.server.context),
      () => shard.link(bert, "O'Neil_77"),
    );
    expect([isOn("maple"), isOn("o'neil_77")]).toEqual([undefined, bert.userId]);
    expect(await linksOf(bert)).toEqual(["O'Neil_77"]);
  });

  it("keeps a link that was made again before the late answer to the unlinking arrives", async () => {
    await shard.link(anna, "maple");
    const path = `DELETE /admin/users/${anna.userId}/shard/link/maple`;
    const { status, body } = await answeredLate(
      "/v1/links/maple",
      () => shard.as(admin, path),
      () => shard.link(anna, "maple"),
    );
    expect([status, body]).toEqual([200, { account: "maple", unlinked: true }]);
    expect(await linksOf(anna)).toEqual(["maple"]);
  });

  it("is logged as unknown before the shard is called, and as done afterwards", async () => {
    const gone = await signIn(shard.server);
    linkOnShard(gone, "maple");
    const lines = async () =>
      (await shard.logged("shard.unlink")).filter(({ target }) => target === `user ${gone.userId}`);
    const line = (outcome: string) => ({
      actorId: null,
      target: `user ${gone.userId}`,
      detail: { outcome },
    });
    await answeredLate(
      "/v1/links/maple",
      () => unlinkDeletedUser(gone.userId, shard.server.context),
      async () => expect(await lines()).toEqual([line("unknown")]),
    );
    expect(await lines()).toEqual([line("done")]);
  });
});

describe("a link that is made on the shard while its user is deleted", () => {
  const remove = async (who: SignedIn) =>
    expect((await shard.as(admin, `DELETE /admin/users/${who.userId}`)).status).toBe(200);
  const isLinked = (account: string) => shard.simulator.world.links.has(account);

  /** Runs a worker until the account `maple` is unlinked. */
  async function untilUnlinked(): Promise<void> {
    const worker = await startTestWorker(shard.server, ["upkeep"]);
    await waitUntil("the account is unlinked", () => !isLinked("maple"));
    await worker.stop();
  }

  /** Deletes the job that unlinks a deleted user, as if the job had found no link yet. */
  const forgetDeletion = () => forgetJobs(shard.server, "shard.unlink-user");

  it("is undone on the shard when its late answer arrives", async () => {
    const gone = await signIn(shard.server);
    shard.simulator.world.codes.set("CODE", shard.account("maple"));
    const redeeming = () => shard.as(gone, "POST /player/shard/link", { body: { code: "CODE" } });
    await answeredLate("/v1/links/redeem", redeeming, async () => {
      await remove(gone);
      await forgetDeletion();
    });
    expect(isLinked("maple")).toBe(true);
    await untilUnlinked();
  });

  it("is undone on the shard when its event arrives, and the event is stored", async () => {
    const gone = await signIn(shard.server);
    const ingest = await startTestIngest(shard.server.context);
    const { sequelize } = shard.server.context;
    const deletion = await sequelize.transaction();
    await deleteUser(shard.server, gone.userId, deletion);
    shard.simulator.world.links.set("maple", {
      account: "maple",
      userId: gone.userId,
      linkedAt: 1_767_323_045_000,
    });
    shard.simulator.emit("account.linked", { acct: "maple", webId: gone.userId, by: "player" });
    await waitUntilLockWaits(shard.server);
    await deletion.commit();
    await waitUntil("the event is stored", async () => (await kept(gone)).length === 1);
    await ingest.stop();
    expect(await storedRows(shard.server.context.models.RejectedFrame, ["reason"])).toEqual([]);
    await untilUnlinked();
  });

  const kept = ({ userId }: SignedIn) =>
    storedRows(shard.server.context.models.ShardEvent, ["id"], {
      kind: "account.linked",
      "payload.webId": String(userId),
    });

  it("does not block the deletion if its event comes together with the end of another link", async () => {
    const gone = await signIn(shard.server);
    await redeem(gone, "maple");
    const { context } = shard.server;
    const url = context.config.DATABASE_URL;
    const { signal } = new AbortController();
    const owner = await acquireSourceOwnership({ url, source: "shard", log: context.log, signal });
    const deletion = await context.sequelize.transaction();
    const lock = deletion.LOCK.UPDATE;
    await context.models.User.findByPk(gone.userId, { transaction: deletion, lock });
    const told = [
      eventFrame(1, "account.unlinked", { acct: "maple", webId: gone.userId, by: "player" }),
      eventFrame(2, "account.linked", { acct: "o'neil_77", webId: gone.userId, by: "player" }),
    ];
    const storing = storeShardBatch(told, owner, context).finally(() => owner.release());
    await waitUntilLockWaits(shard.server);
    await deleteUser(shard.server, gone.userId, deletion);
    await deletion.commit();
    expect(await storing).toEqual({ epoch, seq: 2 });
    expect(await kept(gone)).toHaveLength(1);
    expect(await storedRows(context.models.ShardLink, ["account"])).toEqual([]);
  });

  it("is undone if the shard's list of links contains it, while a link to a user unknown to the site stays", async () => {
    const gone = await signIn(shard.server);
    await remove(gone);
    await forgetDeletion();
    const { links } = shard.simulator.world;
    links.set("maple", { account: "maple", userId: gone.userId, linkedAt: 1 });
    links.set("o'neil_77", { account: "O'Neil_77", userId: 9_999_999, linkedAt: 1 });
    const ingest = await startTestIngest(shard.server.context);
    await untilUnlinked();
    await ingest.stop();
    expect(isLinked("o'neil_77")).toBe(true);
  });
});
