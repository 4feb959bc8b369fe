import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { lockAccounts } from "../../shared/platform/db/stale-answers.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { writeLinks } from "../../shared/shard/owners/link-mirror.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer } from "../support/service/server.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
beforeAll(async () => {
  shard = await startLinkedShard();
});
afterAll(() => shard.stop());

const refused = [
  403,
  { error: "Another staff member must decide on a ban of your own game account" },
];

/** Creates a staff member who is linked to the game account `maple`. */
async function ownerOfMaple(role: "admin" | "moderator"): Promise<SignedIn> {
  const staff = await signIn(shard.server, { role });
  await shard.link(staff, "maple");
  return staff;
}

const own: readonly (readonly [string, () => object])[] = [
  ["/admin/shard/unban", () => ({ account: "maple" })],
  ["/admin/shard/unban", () => ({ account: "MAPLE" })],
  ["/admin/shard/ban", () => ({ account: "maple", durationSec: 1 })],
  ["/admin/shard/ban", () => ({ serial: shard.character("maple").serial, durationSec: 1 })],
];

describe.each(["admin", "moderator"] as const)(
  "a game account that is linked to the calling %s",
  (role) => {
    it.each(own)(
      "is refused as the target of POST %s, and nothing is sent or stored",
      async (path, body) => {
        const staff = await ownerOfMaple(role);
        const sent = () => findReceivedCommands(shard, path.replace("/admin/shard", "/v1")).length;
        const before = sent();
        const answered = await callRoute(shard.server, `POST ${path}`, {
          headers: staff.headers,
          body: body(),
        });
        expect(statusAndBodyOf(answered)).toEqual(refused);
        expect(answered.headers.get("x-error-code")).toBe("own_account");
        expect(sent()).toBe(before);
        expect(await shard.server.context.models.Punishment.count()).toBe(0);
      },
    );

    it("can be banned and unbanned by another member of staff", async () => {
      await ownerOfMaple(role);
      const other = await signIn(shard.server, { role });
      const ask = (path: string) =>
        callRoute(shard.server, `POST ${path}`, {
          headers: other.headers,
          body: { account: "maple" },
        });
      expect((await ask("/admin/shard/ban")).status).toBe(200);
      expect((await ask("/admin/shard/unban")).status).toBe(200);
      await shard.server.context.models.Punishment.destroy({ where: {} });
    });
  },
);

describe("a character of the caller's linked account", () => {
  it("cannot be banned, even if the character is newer than the cached roster", async () => {
    const staff = await ownerOfMaple("moderator");
    await shard.as(staff, "GET /player/shard/roster/maple");
    const serial = "0x0000ABCD";
    const newer = { ...shard.character("maple"), serial };
    shard.simulator.world.characters.set(serial, newer);
    const body = { serial, durationSec: 1 };
    expect(statusAndBodyOf(await shard.as(staff, "POST /admin/shard/ban", { body }))).toEqual(
      refused,
    );
    shard.simulator.world.characters.delete(serial);
    expect((await shard.as(staff, "POST /admin/shard/ban", { body })).status).toBe(404);
    expect(await shard.server.context.models.Punishment.unscoped().count()).toBe(0);
  });
});

describe("a linked account whose name has letters beyond ASCII", () => {
  it("cannot be unbanned by its owner, in any mix of upper and lower case", async () => {
    const staff = await signIn(shard.server, { role: "admin" });
    const account = "M\u0386\u03aaStER";
    const { sequelize } = shard.server.context;
    const linked = [{ account, userId: staff.userId, linkedAt: Date.now() }];
    await inTransaction(sequelize, (transaction) => writeLinks(linked, transaction));
    for (const named of [account, account.toLowerCase(), account.toUpperCase()]) {
      const body = { account: named };
      expect(statusAndBodyOf(await shard.as(staff, "POST /admin/shard/unban", { body }))).toEqual(
        refused,
      );
    }
  });
});

describe("a linked account of an administrator", () => {
  it("cannot be unlinked by its owner while its ban is being sent", async () => {
    const owner = await ownerOfMaple("admin");
    const other = await signIn(shard.server, { role: "admin" });
    shard.simulator.faults.trigger("hold", { method: "POST", path: "/v1/ban" });
    const before = findReceivedCommands(shard, "/v1/ban").length;
    const banning = shard.as(other, "POST /admin/shard/ban", {
      body: { serial: shard.character("maple").serial },
    });
    await waitUntil(
      "the shard is asked",
      () => findReceivedCommands(shard, "/v1/ban").length > before,
    );
    const route = `DELETE /admin/users/${owner.userId}/shard/link/maple`;
    expect(statusAndBodyOf(await shard.as(owner, route))).toEqual([
      403,
      { error: "Another staff member must unlink your own game account while it is banned" },
    ]);
    shard.simulator.faults.trigger("release");
    expect((await banning).status).toBe(200);
    const body = { account: "maple" };
    expect(statusAndBodyOf(await shard.as(owner, "POST /admin/shard/unban", { body }))).toEqual(
      refused,
    );
    expect((await shard.as(other, "POST /admin/shard/unban", { body })).status).toBe(200);
    await shard.server.context.models.Punishment.destroy({ where: {} });
  });

  it("cannot be unlinked by its owner while it is banned", async () => {
    const owner = await ownerOfMaple("admin");
    const other = await signIn(shard.server, { role: "admin" });
    const body = { account: "maple" };
    await callRoute(shard.server, "POST /admin/shard/ban", { headers: other.headers, body });
    const route = `DELETE /admin/users/${owner.userId}/shard/link/maple`;
    expect(
      statusAndBodyOf(await callRoute(shard.server, route, { headers: owner.headers })),
    ).toEqual([
      403,
      { error: "Another staff member must unlink your own game account while it is banned" },
    ]);
    expect((await callRoute(shard.server, route, { headers: other.headers })).status).toBe(200);
    await shard.server.context.models.Punishment.destroy({ where: {} });
  });
});

describe("an account that is being linked while its unban waits in another process", () => {
  it("cannot be unbanned by the user who links it meanwhile", async () => {
    const second = await startTestServer({ database: shard.server.database });
    const staff = await signIn(shard.server, { role: "moderator" });
    const before = findReceivedCommands(shard, "/v1/unban").length;
    const { sequelize, models } = shard.server.context;
    const asking = await inTransaction(sequelize, async (transaction) => {
      await lockAccounts("game account", transaction);
      await models.ShardLink.create(
        { accountKey: "birch", account: "Birch", userId: staff.userId, linkedAt: clockNow() },
        { transaction },
      );
      const body = { account: "birch" };
      const asked = callRoute(second, "POST /admin/shard/unban", { headers: staff.headers, body });
      await waitUntilLockWaits(shard.server);
      return { asked };
    });
    expect(statusAndBodyOf(await asking.asked)).toEqual(refused);
    expect(findReceivedCommands(shard, "/v1/unban")).toHaveLength(before);
    await second.stop();
  });
});

describe("an API token", () => {
  it("cannot lift a ban of an account that is linked to the token's creator", async () => {
    const maker = await ownerOfMaple("admin");
    const body = { name: "judge", role: "moderator", scopes: ["shard-staff:write"] };
    const made = await callRoute(shard.server, "POST /admin/tokens", {
      headers: maker.headers,
      body,
    });
    const { secret } = made.body as { secret: string };
    const answered = await callRoute(shard.server, "POST /admin/shard/unban", {
      headers: { authorization: `Bearer ${secret}` },
      body: { account: "maple" },
    });
    expect(statusAndBodyOf(answered)).toEqual(refused);
  });
});
