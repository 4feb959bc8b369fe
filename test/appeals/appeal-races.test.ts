import { afterAll, beforeAll, expect, it } from "vitest";

import { signIn, type SignedIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { retryAfter } from "../support/http/call.ts";
import {
  countStatuses,
  repeatRace,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

const environment = { RL_APPEAL_MAX: "3", RL_APPEAL_MESSAGE_MAX: "4" };

let shard: LinkedShard;
let ingest: TestIngest;
let track: RaceServers;
beforeAll(async () => {
  shard = await startLinkedShard({ server: { environment } });
  ingest = await startTestIngest(shard.server.context);
  track = await RaceServers.start(shard.server.database, environment);
});
afterAll(async () => {
  await track.stop();
  await ingest.stop();
  await shard.stop();
});

/** Bans a player's account in the game, replacing an earlier ban. */
async function banInGame(account: string): Promise<void> {
  const { Punishment } = shard.server.context.models;
  const accountKey = account.toLowerCase();
  const inForce = () => Punishment.scope("inForce").findOne({ where: { accountKey } });
  const standing = (await inForce())?.id;
  const detail = "Unattended macroing";
  shard.account(account).ban = { until: null, reason: detail };
  shard.simulator.emit("account.audit", { acct: account, action: "banned", by: "gm_rook", detail });
  await waitUntil("the ban is known", async () => {
    const now = await inForce();
    return now !== null && now.id !== standing;
  });
}

const reason = "I was fishing by hand, and can prove it.";

/** Creates a user with a banned game account. */
async function banSomebody(round: number): Promise<{ player: SignedIn; account: string }> {
  const players = [...shard.simulator.world.accounts.values()].filter(
    ({ access }) => access === "Player",
  );
  const account = players[round % players.length]?.name ?? "";
  const player = await signIn(shard.server);
  await shard.link(player, account);
  await banInGame(account);
  return { player, account };
}

it(
  "thirty concurrent appeals through two processes open one appeal and count once toward the rate limit",
  repeatRace(async (round) => {
    const { player, account } = await banSomebody(round);
    const body = { account, reason };
    const open = { route: "POST /player/appeals", headers: player.headers, body };
    const idOf = (given: unknown) => (given as { appeal: { id: number } }).appeal.id;
    const answers = await track.run(makeList(30, () => open));
    expect(countStatuses(answers)).toEqual({ 201: 1, 409: 29 });
    let id = idOf(successfulAnswersOf(answers)[0]?.body);
    const read = { route: "GET /player/appeals", headers: player.headers };
    for (const { body: listed } of await track.inEach(read)) {
      expect((listed as { appeals: unknown[] }).appeals).toMatchObject([{ id, state: "open" }]);
    }
    const withdraw = async () => {
      const answered = await shard.as(player, `POST /player/appeals/${id}/messages`, {
        body: { withdraw: true },
      });
      expect(answered.status).toBe(201);
    };
    for (const _ of [2, 3]) {
      await withdraw();
      const next = await shard.as(player, "POST /player/appeals", { body });
      expect(next.status).toBe(201);
      id = idOf(next.body);
    }
    await withdraw();
    for (const { status, body: said } of await track.inEach(open)) {
      expect([status, said]).toEqual([429, { error: "Too many requests" }]);
    }
    const limited = await shard.as(player, "POST /player/appeals", { body });
    expect(retryAfter(limited)).toBeGreaterThan(86_000);
  }),
);

it(
  "thirty concurrent messages through two processes store only as many as the hourly limit allows",
  repeatRace(async (round) => {
    const { player, account } = await banSomebody(round);
    const opened = await shard.as(player, "POST /player/appeals", { body: { account, reason } });
    const { id } = (opened.body as { appeal: { id: number } }).appeal;
    const route = `POST /player/appeals/${id}/messages`;
    const say = (text: string) => ({ route, headers: player.headers, body: { body: text } });
    const answers = await track.run(makeList(30, (index) => say(`This is message ${index}.`)));
    expect(countStatuses(answers)).toEqual({ 201: 4, 429: 26 });
    expect(countStatuses(await track.inEach(say("And one more.")))).toEqual({ 429: 2 });
    const { messages } = (await shard.as(player, `GET /player/appeals/${id}`)).body as {
      messages: unknown[];
    };
    expect(messages).toHaveLength(4);
  }),
);
