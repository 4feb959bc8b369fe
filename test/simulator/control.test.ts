import { afterEach, describe, expect, it } from "vitest";

import {
  callControl,
  callSim,
  buildInvalidAnswer,
  moderator,
  buildOkAnswer,
  refused,
} from "./client.ts";
import { noon, createSimulatorPool } from "./starting.ts";

const { start, stopAll } = createSimulatorPool();
afterEach(stopAll);

describe("every call", () => {
  it("is answered 401 without the token, whatever else is wrong", async () => {
    const simulator = await start();
    const headers = { authorization: "Bearer wrong", "x-bridge-protocol": "7" };
    expect(await callControl(simulator, "GET", "/v1/nothing", { headers })).toEqual(
      refused(401, "UNAUTHORIZED"),
    );
  });

  it.each([
    ["7", 7],
    ["x", null],
  ])("is answered 409 PROTOCOL if it names the protocol %j", async (protocol, client) => {
    const simulator = await start();
    const headers = { "x-bridge-protocol": protocol };
    expect(await callControl(simulator, "GET", "/v1/health", { headers })).toEqual(
      refused(409, "PROTOCOL", { server: 8, client }),
    );
  });

  it("is recorded with its request id", async () => {
    const simulator = await start();
    const headers = { "x-request-id": "abc" };
    await callControl(simulator, "GET", "/v1/health", { headers });
    expect(simulator.received.calls).toEqual([
      { method: "GET", path: "/v1/health", requestId: "abc", at: noon, status: 200 },
    ]);
  });

  it("is answered 404 if it is unknown, or if it needs protocol 8 and the sidecar uses protocol 7", async () => {
    const simulator = await start({ protocol: 7 });
    const headers = { "x-bridge-protocol": "7" };
    expect(await callControl(simulator, "GET", "/v1/health", { headers })).toEqual(
      buildOkAnswer({
        protocol: 7,
        pluginConnected: true,
        bootId: simulator.game.bootId,
        uptimeSec: 0,
        capabilities: ["pages", "towncrier", "signup", "links"],
      }),
    );
    for (const path of ["/v1/clilocs", "/v1/assets", "/v1/atlas", "/v1/nothing"]) {
      expect(await callControl(simulator, "GET", path, { headers })).toEqual(
        refused(404, "NOT_FOUND"),
      );
    }
  });

  it("is answered 503 SHARD_DOWN while the plugin is away, except for a health request", async () => {
    const simulator = await start({ boot: false });
    const calls: [string, string, unknown?][] = [
      ["GET", "/v1/links"],
      ["GET", "/v1/signup-mode"],
      ["GET", "/v1/clilocs"],
      ["POST", "/v1/resync", { families: ["house"] }],
      ["POST", "/v1/kick", { account: "maple" }],
    ];
    for (const [method, path, body] of calls) {
      expect(await callControl(simulator, method, path, { body })).toEqual(
        refused(503, "SHARD_DOWN"),
      );
    }
    const health = await callControl(simulator, "GET", "/v1/health");
    expect(health).toMatchObject(
      buildOkAnswer({ pluginConnected: false, bootId: null, uptimeSec: 0 }),
    );
  });
});

describe("a command", () => {
  const kick = { account: "maple" };

  it("needs a key and an actor, and a read with either of them is refused", async () => {
    const simulator = await start();
    const call = (options: object) => callControl(simulator, "POST", "/v1/kick", options);
    expect(await call({ body: kick, key: null })).toEqual(
      buildInvalidAnswer("Idempotency-Key", "is required"),
    );
    expect(await call({ body: kick, actor: null })).toEqual(
      buildInvalidAnswer("X-Bridge-Actor", "is required"),
    );
    const keyed = { headers: { "idempotency-key": "k" } };
    expect(await callControl(simulator, "GET", "/v1/links", keyed)).toEqual(
      buildInvalidAnswer("Idempotency-Key", "is not for reads"),
    );
    const acted = { headers: { "x-bridge-actor": "e30" }, body: { types: ["orc"] } };
    expect(await callControl(simulator, "POST", "/v1/bodies/resolve", acted)).toEqual(
      buildInvalidAnswer("X-Bridge-Actor", "is not for reads"),
    );
  });

  it.each([[{}], [{ ...moderator, userId: "7" }], ["mod"], [{ userId: 1, username: "x" }]])(
    "is answered 400 if its actor is %j",
    async (actor) => {
      const simulator = await start();
      const answer = await callControl(simulator, "POST", "/v1/kick", { body: kick, actor });
      expect(answer.body).toMatchObject({ code: "INVALID", field: "X-Bridge-Actor" });
    },
  );

  it("is recorded with its key, actor and body", async () => {
    const simulator = await start();
    const headers = { "x-request-id": "r" };
    await callControl(simulator, "POST", "/v1/kick", { body: kick, key: "k1", headers });
    expect(simulator.received.commands).toEqual([
      {
        method: "POST",
        path: "/v1/kick",
        requestId: "r",
        at: noon,
        status: 200,
        key: "k1",
        actor: moderator,
        body: kick,
        replayed: false,
        carriedOut: true,
      },
    ]);
  });

  it("runs once per key and gets the same answer when it is repeated", async () => {
    const simulator = await start();
    const body = { lines: ["Hear ye!"], durationSec: 60 };
    const first = await callControl(simulator, "POST", "/v1/towncrier", { body, key: "k" });
    const again = await callControl(simulator, "POST", "/v1/towncrier", { body, key: "k" });
    expect(again).toEqual(first);
    expect(simulator.world.crier.size).toBe(1);
    expect(simulator.received.commands.map(({ replayed }) => replayed)).toEqual([false, true]);
  });

  it("is answered 409 CONFLICT if its key was used for another body or call", async () => {
    const simulator = await start();
    const of = (path: string, body: unknown) =>
      callControl(simulator, "POST", path, { body, key: "k" });
    expect((await of("/v1/kick", kick)).status).toBe(200);
    expect(await of("/v1/kick", { account: "O'Neil_77" })).toEqual(refused(409, "CONFLICT"));
    expect(await of("/v1/unban", kick)).toEqual(refused(409, "CONFLICT"));
    expect((await of("/v1/kick", kick)).status).toBe(200);
  });

  it("is remembered for a day if it succeeded, and is not remembered if it was refused", async () => {
    let now = noon;
    const simulator = await start({ clock: () => now });
    const call = (account: string) =>
      callControl(simulator, "POST", "/v1/kick", { body: { account }, key: account });
    simulator.faults.trigger("away");
    expect(await call("maple")).toEqual(refused(503, "SHARD_DOWN"));
    simulator.faults.trigger("back");
    expect(await call("rose")).toEqual(refused(404, "NOT_FOUND"));
    const kicked = await call("maple");
    expect(kicked.status).toBe(200);
    await callControl(simulator, "POST", "/v1/accounts", {
      body: { account: "rose", password: "open sesame", ip: "192.0.2.1" },
    });
    expect((await call("rose")).status).toBe(200);
    simulator.faults.trigger("away");
    expect(await call("maple")).toEqual(kicked);
    now += 24 * 3_600_000 + 1;
    expect(await call("maple")).toEqual(refused(503, "SHARD_DOWN"));
  });

  it("has one effect per key, and waits together with its repetitions while the game is frozen", async () => {
    const simulator = await start();
    simulator.faults.trigger("freeze", { ms: 60_000, patienceMs: 5 });
    const say = (text: string, key: string) =>
      callControl(simulator, "POST", "/v1/broadcast", { body: { text }, key });
    const shouts = () => simulator.buffer.log.filter(({ kind }) => kind === "world.broadcast");
    expect(await say("hear", "k1")).toEqual(refused(503, "SHARD_DOWN"));
    expect(await say("other", "k1")).toEqual(refused(409, "CONFLICT"));
    simulator.faults.trigger("freeze", { ms: 60_000, patienceMs: 0 });
    const repeats = [say("hear", "k1"), say("hear", "k1"), say("ye", "k2")];
    expect((await callControl(simulator, "GET", "/v1/health")).status).toBe(200);
    expect(simulator.happen(5)).toBe(0);
    expect(shouts()).toEqual([]);
    expect((await callSim(simulator, "GET", "/effects")).body).toEqual({ effects: [] });
    simulator.game.thaw();
    const told = buildOkAnswer({ ok: true, recipients: 8 });
    expect(await Promise.all(repeats)).toEqual([told, told, told]);
    expect(shouts().map(({ payload }) => payload["text"])).toEqual(["hear", "ye"]);
    expect(await say("hear", "k1")).toEqual(told);
    const effect = { method: "POST", path: "/v1/broadcast", at: noon, times: 1 };
    expect((await callSim(simulator, "GET", "/effects?prefix=k")).body).toEqual({
      effects: [
        { key: "k1", ...effect },
        { key: "k2", ...effect },
      ],
    });
    expect((await callSim(simulator, "GET", "/effects?prefix=x")).body).toEqual({ effects: [] });
  });

  it("has no effect if the game crashes before it runs, and may be sent again", async () => {
    const simulator = await start();
    simulator.faults.trigger("freeze", { ms: 60_000, patienceMs: 5 });
    const say = () =>
      callControl(simulator, "POST", "/v1/broadcast", { body: { text: "hear" }, key: "k" });
    expect(await say()).toEqual(refused(503, "SHARD_DOWN"));
    simulator.faults.trigger("away", { crash: true });
    expect(await say()).toEqual(refused(503, "SHARD_DOWN"));
    simulator.faults.trigger("back");
    expect(simulator.effects.of("")).toEqual([]);
    expect((await say()).status).toBe(200);
    expect(simulator.effects.of("")).toMatchObject([{ key: "k", times: 1 }]);
  });

  it.each([
    ["POST", "/v1/accounts", { account: "rose", password: "open sesame", ip: "192.0.2.1" }],
    ["PUT", "/v1/signup-mode", { mode: "game" }],
    ["POST", "/v1/links/redeem", { code: "X" }],
    ["DELETE", "/v1/links/maple", undefined],
    ["POST", "/v1/kick", kick],
    ["POST", "/v1/ban", kick],
    ["POST", "/v1/unban", kick],
    ["POST", "/v1/broadcast", { text: "hi" }],
    ["POST", "/v1/towncrier", { lines: ["hi"], durationSec: 60 }],
    ["DELETE", "/v1/towncrier/x", undefined],
    ["POST", "/v1/pages/x/respond", { message: "hi" }],
    ["POST", "/v1/pages/x/close", undefined],
    ["POST", "/v1/champions/x/start", undefined],
    ["POST", "/v1/champions/x/stop", undefined],
  ])(
    "is answered 403 WRITES_DISABLED or 429 LIMIT under the faults writesDisabled and limit (%s %s)",
    async (method, path, body) => {
      const simulator = await start();
      const from = simulator.buffer.head;
      simulator.faults.trigger("writesDisabled");
      expect(await callControl(simulator, method, path, { body })).toEqual(
        refused(403, "WRITES_DISABLED"),
      );
      simulator.faults.trigger("writesDisabled", { on: false });
      simulator.faults.trigger("limit");
      expect(await callControl(simulator, method, path, { body })).toEqual(refused(429, "LIMIT"));
      expect(simulator.buffer.head).toBe(from);
      expect((await callControl(simulator, method, path, { body })).status).not.toBe(429);
    },
  );

  it("is answered 400 if its body is not JSON", async () => {
    const simulator = await start();
    const response = await fetch(`${simulator.baseUrl}/v1/kick`, {
      method: "POST",
      body: "{",
      headers: {
        authorization: `Bearer ${simulator.token}`,
        "x-bridge-protocol": "8",
        "x-request-id": "r",
        "idempotency-key": "k",
        "x-bridge-actor": Buffer.from(JSON.stringify(moderator)).toString("base64url"),
      },
    });
    expect(await response.json()).toEqual(buildInvalidAnswer("body", "is not JSON").body);
  });
});
