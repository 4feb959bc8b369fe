import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { query } from "../support/database/query.ts";
import { callRoute } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startApiProcess, startProgram } from "../support/service/processes.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
});
afterAll(() => shard.stop());

describe("a command to the game server", () => {
  it("is logged once with the outcome unknown if its process is killed before the answer", async () => {
    const api = await startApiProcess(shard.server.database);
    shard.simulator.faults.trigger("hang", { path: "/v1/kick", carryOut: true });
    const answered = callRoute(api, "POST /admin/shard/kick", {
      headers: admin.headers,
      body: { account: "maple" },
    }).catch(() => "no answer");
    await waitUntil(
      "the command has come",
      () => findReceivedCommands(shard, "/v1/kick").length === 1,
    );
    await api.kill();
    expect(await answered).toBe("no answer");
    const { body } = await shard.as(admin, "GET /admin/activity?action=shard.");
    expect(body).toEqual({
      activity: [
        {
          id: expect.any(Number),
          at: expect.any(String),
          actor: { id: admin.userId, username: admin.username },
          action: "shard.kick",
          target: { type: "gameAccount", id: "maple" },
          detail: { account: "maple", outcome: "unknown" },
        },
      ],
      nextBefore: null,
    });
  });

  it("is logged once with its outcome if it was answered or refused", async () => {
    await shard.as(admin, "POST /admin/shard/broadcast", { body: { text: "hear" } });
    await shard.as(admin, "POST /admin/shard/unban", { body: { account: "nobody" } });
    const outcomes = async (action: string) =>
      (await shard.logged(action)).map(({ detail }) => detail);
    expect(await outcomes("shard.broadcast")).toEqual([{ text: "hear", outcome: "done" }]);
    expect(await outcomes("shard.unban")).toEqual([{ account: "nobody", outcome: "NOT_FOUND" }]);
  });
});

describe("the unlinking of a deleted user by a worker that is killed before the game server answers", () => {
  const path = "/v1/links/maple";
  const startWorker = (): Promise<ChildProgram> =>
    startProgram("worker", { database: shard.server.database, arguments: ["upkeep"] });

  /**
   * Kills a worker while it waits for the game server. Another worker retries the job.
   * @param carryOut true if the game server executes the command before the kill
   */
  async function killAndGoOn(carryOut: boolean) {
    const gone = await signIn(shard.server);
    await shard.link(gone, "maple");
    const target = `user ${gone.userId}`;
    const outcomes = async () =>
      (await shard.logged("shard.unlink"))
        .filter((line) => line.target === target)
        .map(({ actorId, detail }) => ({ actorId, detail }));
    const told = findReceivedCommands(shard, path).length;
    shard.simulator.faults.trigger("hang", { path, carryOut });
    const worker = await startWorker();
    await shard.as(admin, `DELETE /admin/users/${gone.userId}`);
    await waitUntil("the command has come", () => findReceivedCommands(shard, path).length > told);
    await worker.kill();
    shard.simulator.faults.clear();
    const cut = { lines: await outcomes(), isLinked: shard.simulator.world.links.has("maple") };
    const states = () =>
      query<{ state: string }>(
        shard.server,
        `select state from pgboss.job where name = 'shard.unlink-user'
           and (data ->> 'userId')::integer = $1`,
        gone.userId,
      );
    expect(await states()).toEqual([{ state: "active" }]);
    await expireWorkerHeartbeats(shard.server);
    const other = await startWorker();
    await waitUntil("the job is done", async () => (await states())[0]?.state === "completed");
    await other.stop();
    return { cut, lines: await outcomes(), isLinked: shard.simulator.world.links.has("maple") };
  }

  const line = (outcome: string) => ({ actorId: null, detail: { outcome } });

  it("is logged once, with the outcome unknown, if the game server executed the command", async () => {
    expect(await killAndGoOn(true)).toEqual({
      cut: { lines: [line("unknown")], isLinked: false },
      lines: [line("unknown")],
      isLinked: false,
    });
  });

  it(
    "is done by the next worker with a second log line if the game server did not execute the command",
    overSidecar,
    async () => {
      expect(await killAndGoOn(false)).toEqual({
        cut: { lines: [line("unknown")], isLinked: true },
        lines: [line("unknown"), line("done")],
        isLinked: false,
      });
    },
  );
});
