import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
} from "../support/races/race.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

const account = "maple";

let shard: LinkedShard;
let track: RaceServers;
let ingest: TestIngest;
let admin: SignedIn;
beforeAll(async () => {
  shard = await startLinkedShard({ server: { environment: unlimited } });
  track = await RaceServers.start(shard.server.database, unlimited);
  ingest = await startTestIngest(shard.server.context);
  admin = await signIn(shard.server, { role: "admin" });
});
afterAll(async () => {
  await ingest.stop();
  await track.stop();
  await shard.stop();
});

/**
 * Emits a broadcast with this text and waits until it is stored. All earlier events are stored
 * then, too.
 */
async function settle(marker: string): Promise<void> {
  shard.simulator.emit("world.broadcast", { text: marker, hue: 1 });
  await waitUntil("what the shard told of is stored", async () => {
    const where = { "payload.text": marker };
    return (await shard.server.context.models.ShardEvent.count({ where })) > 0;
  });
}

const redeem = (code: string, { headers }: SignedIn): Race => {
  shard.simulator.world.codes.set(code, shard.account(account));
  return { route: "POST /player/shard/link", headers, body: { code } };
};

const unlink = ({ userId }: SignedIn): Race => ({
  route: `DELETE /admin/users/${userId}/shard/link/${account}`,
  headers: admin.headers,
});

/** Reads a user's accounts in each process, and whether the user may read the roster of `account`. */
async function seenBy({ headers }: SignedIn) {
  const lists = await track.inEach({ route: "GET /player/shard/accounts", headers });
  const rosters = await track.inEach({ route: `GET /player/shard/roster/${account}`, headers });
  return {
    accounts: lists.map(({ body }) => (body as { account: string }[]).map((link) => link.account)),
    rosters: rosters.map(({ status }) => status),
  };
}

describe("an account that two users link while an administrator unlinks it, in two processes", () => {
  it(
    "belongs in the end to the user who has it on the shard, and no other user can read it",
    repeatRace(async (round) => {
      const users = [await signIn(shard.server), await signIn(shard.server)] as const;
      const answers = await track.run(
        // Each of the two users links and unlinks in both processes.
        makeList(16, (index) => {
          const user = users[index % 4 < 2 ? 0 : 1];
          return index % 8 < 4 ? redeem(`R${round}C${index}`, user) : unlink(user);
        }),
      );
      const known = [200, 400, 404, 409];
      const others = Object.keys(countStatuses(answers)).filter(
        (status) => !known.includes(Number(status)),
      );
      expect(others).toEqual([]);
      await settle(`after round ${round}`);
      const owner = shard.simulator.world.links.get(account)?.userId;
      for (const user of users) {
        const isOwner = user.userId === owner;
        const own = isOwner ? [account] : [];
        const status = isOwner ? 200 : 403;
        expect(await seenBy(user)).toEqual({ accounts: [own, own], rosters: [status, status] });
        if (isOwner) await track.run([unlink(user)]);
      }
      await settle(`end of round ${round}`);
    }, 3),
  );

  it(
    "belongs to no user if each link is removed before the answer to its creation arrives, in either process",
    repeatRace(async (round) => {
      const users = [await signIn(shard.server), await signIn(shard.server)] as const;
      const { faults } = shard.simulator;
      const before = findReceivedCommands(shard, "/v1/links/redeem").length;
      faults.trigger("hold", { path: "/v1/links/redeem", times: 8 });
      const late = track.run(
        makeList(8, (index) => redeem(`L${round}C${index}`, users[index % 4 < 2 ? 0 : 1])),
      );
      await waitUntil("all have come", () => {
        return findReceivedCommands(shard, "/v1/links/redeem").length === before + 8;
      });
      await settle(`linked in round ${round}`);
      const undone = await track.run(makeList(8, (index) => unlink(users[index % 4 < 2 ? 0 : 1])));
      expect(countStatuses(undone)).toMatchObject({ 200: expect.any(Number) });
      await settle(`undone in round ${round}`);
      faults.trigger("release");
      const answers = countStatuses(await late);
      expect(Object.keys(answers).filter((status) => !["400", "409"].includes(status))).toEqual([]);
      expect(shard.simulator.world.links.has(account)).toBe(false);
      for (const user of users) {
        expect(await seenBy(user)).toEqual({ accounts: [[], []], rosters: [403, 403] });
      }
    }, 3),
  );
});
