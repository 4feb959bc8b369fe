import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestIngest } from "../support/shard/ingest.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";
import { type OpenedAppeal, banAccountViaApi, openAppeal } from "./open-appeal.ts";

let shard: LinkedShard;
let moderator: SignedIn;
const workers: ChildProgram[] = [];

beforeAll(async () => {
  shard = await startLinkedShard();
  moderator = await signIn(shard.server, { role: "moderator" });
});
afterEach(async () => {
  shard.simulator.faults.clear();
  for (const worker of workers.splice(0)) await worker.kill();
});
afterAll(() => shard.stop());

async function startWorker(): Promise<ChildProgram> {
  const { database } = shard.server;
  const worker = await startProgram("worker", { database, arguments: ["upkeep"] });
  workers.push(worker);
  return worker;
}

/** Bans an account in the game. The stream reports the ban to the site. */
const banInGame: typeof banAccountViaApi = async (on, account) => {
  const { simulator, server } = on;
  const ingest = await startTestIngest(server.context);
  const detail = "Unattended macroing";
  on.account(account).ban = { until: null, reason: detail };
  simulator.emit("account.audit", { acct: account, action: "banned", by: "gm_rook", detail });
  const where = { accountKey: account.toLowerCase() };
  const { Punishment } = server.context.models;
  await waitUntil("the ban is known", async () => (await Punishment.count({ where })) > 0);
  await ingest.stop();
};

const accept = ({ id }: OpenedAppeal) =>
  shard.as(moderator, `POST /admin/appeals/${id}/decision`, {
    body: { outcome: "accepted", note: "It was a mistake of ours.", unban: true },
  });

async function readUnban({ id }: OpenedAppeal): Promise<unknown> {
  const { body } = await shard.as(moderator, `GET /admin/appeals/${id}`);
  return (body as { appeal: { unban: unknown } }).appeal.unban;
}

/** Returns the unban commands that the shard received for one appeal, including repeated ones. */
const heardOf = ({ id }: OpenedAppeal) =>
  findReceivedCommands(shard, "/v1/unban").filter(({ key }) => key === `appeal:${id}:unban`);

async function untilDone(appeal: OpenedAppeal, { said }: ChildProgram): Promise<void> {
  await waitUntil(
    () => `the unban is done\n${said}`,
    async () => ((await readUnban(appeal)) as { status: string }).status === "done",
  );
  expect(await readUnban(appeal)).toEqual({ status: "done", reason: null });
  expect(shard.account(appeal.account).ban).toBeNull();
  const lines = (await shard.logged("shard.unban")).filter(
    ({ detail }) => detail["appeal"] === appeal.id,
  );
  expect(lines.map(({ detail }) => detail["outcome"])).toEqual(["done"]);
}

describe("an unban whose worker is killed after the decision", () => {
  it("is carried out once, after the worker and the shard, which was down, are back", async () => {
    const appeal = await openAppeal(shard, banAccountViaApi);
    const first = await startWorker();
    shard.simulator.faults.trigger("vanish", { ms: 0 });
    expect((await accept(appeal)).body).toMatchObject({ unban: { status: "queued" } });
    await first.kill();
    await shard.simulator.comeBack();
    expect(await readUnban(appeal)).toMatchObject({ status: "queued" });
    expect(shard.account(appeal.account).ban).not.toBeNull();
    await expireWorkerHeartbeats(shard.server);
    await untilDone(appeal, await startWorker());
    expect(heardOf(appeal).map(({ carriedOut }) => carriedOut)).toEqual([true]);
  });

  it("is carried out once for a ban made in the game, after the worker and the shard are back", async () => {
    const appeal = await openAppeal(shard, banInGame);
    const first = await startWorker();
    shard.simulator.faults.trigger("vanish", { ms: 0 });
    expect((await accept(appeal)).body).toMatchObject({ unban: { status: "queued" } });
    await first.kill();
    await shard.simulator.comeBack();
    await expireWorkerHeartbeats(shard.server);
    await untilDone(appeal, await startWorker());
    expect(heardOf(appeal).map(({ carriedOut }) => carriedOut)).toEqual([true]);
    const punishments = await shard.server.context.models.Punishment.findAll({
      where: { accountKey: appeal.account.toLowerCase() },
    });
    expect(punishments.map(({ issuedBy, endedAt }) => [issuedBy, endedAt !== null])).toEqual([
      [null, true],
    ]);
  });

  it("is sent again but carried out once if the worker was killed before the shard answered", async () => {
    const appeal = await openAppeal(shard, banAccountViaApi);
    const first = await startWorker();
    shard.simulator.faults.trigger("hang", { path: "/v1/unban", carryOut: true });
    const accepted = accept(appeal);
    await waitUntil("the order has come", () => heardOf(appeal).length === 1);
    await first.kill();
    expect((await accepted).body).toMatchObject({ unban: { status: "queued" } });
    shard.simulator.faults.clear();
    await expireWorkerHeartbeats(shard.server);
    await untilDone(appeal, await startWorker());
    const heard = heardOf(appeal).map(({ carriedOut, replayed }) => ({ carriedOut, replayed }));
    expect(heard).toEqual([
      { carriedOut: true, replayed: false },
      { carriedOut: false, replayed: true },
    ]);
  });
});
