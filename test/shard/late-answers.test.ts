import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";

import { startTestIngest } from "../support/ingest.ts";
import { commandsTo, type LinkedShard, startLinkedShard } from "../support/linked-shard.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { until } from "../support/wait.ts";

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

/** Sends a command that the shard carries out at once and answers late, and does something meanwhile. */
async function answeredLate<T>(
  path: string,
  send: () => Promise<T>,
  meanwhile: () => Promise<unknown>,
): Promise<T> {
  const before = commandsTo(shard, path).length;
  shard.simulator.faults.trigger("slow", { path, ms: 1_500 });
  const answer = send();
  await until("the command has come", () => commandsTo(shard, path).length > before);
  await meanwhile();
  return answer;
}

const redeem = (who: SignedIn, account: string) => {
  shard.simulator.world.codes.set("CODE", shard.account(account));
  return shard.as(who, "POST /player/shard/link", { body: { code: "CODE" } });
};

const redeemLate = (account: string, meanwhile: () => Promise<unknown>) =>
  answeredLate("/v1/links/redeem", () => redeem(anna, account), meanwhile);

describe("an answer of the shard that comes late", () => {
  it("gives no account back that is another user's by then", async () => {
    const { status, body } = await redeemLate("maple", () => shard.link(bert, "maple"));
    expect([status, body]).toEqual([400, { error: "Unknown or expired code" }]);
    expect([await linksOf(anna), await linksOf(bert)]).toEqual([[], ["maple"]]);
    expect([await roster(anna, "maple"), await roster(bert, "maple")]).toEqual([403, 200]);
  });

  it("gives no account back that was unlinked here or in the game by then", async () => {
    const { models } = shard.server.context;
    const here = await redeemLate("maple", async () => {
      await shard.link(anna, "maple");
      shard.simulator.world.links.delete("maple");
      await models.ShardLink.destroy({ where: { accountKey: "maple" } });
    });
    expect([here.status, await linksOf(anna)]).toEqual([400, []]);
    const ingest = await startTestIngest(shard.server.context);
    const inGame = await redeemLate("maple", async () => {
      await until("the link is heard of", async () => (await linksOf(anna)).length === 1);
      shard.simulator.world.links.delete("maple");
      shard.simulator.emit("account.unlinked", { acct: "maple", webId: anna.userId, by: "player" });
      await until("its end is heard of", async () => (await linksOf(anna)).length === 0);
    });
    await ingest.stop();
    expect([inGame.status, await linksOf(anna)]).toEqual([400, []]);
  });

  it("is written where the same was heard before it", async () => {
    const ingest = await startTestIngest(shard.server.context);
    const { status, body } = await redeemLate("maple", () =>
      until("the link is heard of", async () => (await linksOf(anna)).length === 1),
    );
    await ingest.stop();
    const linkedAt = new Date(shard.simulator.world.links.get("maple")?.linkedAt ?? 0);
    expect([status, body]).toEqual([200, { account: "maple", linkedAt: linkedAt.toISOString() }]);
    expect(await linksOf(anna)).toEqual(["maple"]);
  });

  it("gives nobody a game account that was made for them and is another user's by then", async () => {
    const body = { account: "late.made", password: "Tr0ub4dor & three" };
    const made = await answeredLate(
      "/v1/accounts",
      () => shard.as(anna, "POST /player/shard/account", { body }),
      async () => {
        // The list that the service reads once the account is made was true when it was asked for.
        shard.simulator.faults.trigger("slow", { path: "/v1/links", ms: 1_500 });
        const asked = shard.simulator.received.calls.length;
        void until("the list is asked for", () =>
          shard.simulator.received.calls.slice(asked).some(({ path }) => path === "/v1/links"),
        ).then(() => shard.link(bert, "late.made"));
      },
    );
    expect([made.status, made.body]).toEqual([201, { account: "late.made", linked: true }]);
    expect([await linksOf(anna), await linksOf(bert)]).toEqual([[], ["late.made"]]);
  });
});
