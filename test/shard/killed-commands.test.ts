import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { call } from "../support/call.ts";
import { commandsTo, type LinkedShard, startLinkedShard } from "../support/linked-shard.ts";
import { startApiProcess } from "../support/processes.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { until } from "../support/wait.ts";

let shard: LinkedShard;
let admin: SignedIn;

beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
});
afterAll(() => shard.stop());

describe("a command whose process is killed before the game server has answered", () => {
  it("stands in the activity log, once, with an outcome that nobody knows", async () => {
    const api = await startApiProcess(shard.server.database);
    shard.simulator.faults.trigger("hang", { path: "/v1/kick", carryOut: true });
    const answered = call(api, "POST /admin/shard/kick", {
      headers: admin.headers,
      body: { account: "maple" },
    }).catch(() => "no answer");
    await until("the command has come", () => commandsTo(shard, "/v1/kick").length === 1);
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

  it("has one line alone where it was answered, and where it was refused", async () => {
    await shard.as(admin, "POST /admin/shard/broadcast", { body: { text: "hear" } });
    await shard.as(admin, "POST /admin/shard/unban", { body: { account: "nobody" } });
    const outcomes = async (action: string) =>
      (await shard.logged(action)).map(({ detail }) => detail);
    expect(await outcomes("shard.broadcast")).toEqual([{ text: "hear", outcome: "done" }]);
    expect(await outcomes("shard.unban")).toEqual([{ account: "nobody", outcome: "NOT_FOUND" }]);
  });
});
