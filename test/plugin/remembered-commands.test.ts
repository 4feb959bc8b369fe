import { createHash, randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { call, outcome } from "../support/http/call.ts";
import { forgetPlugins, linkShardPlugin } from "../support/plugin/linked-plugin.ts";
import type { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
let plugin: TestPlugin;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());
beforeEach(async () => {
  plugin = await linkShardPlugin(server, admin);
  await plugin.hello();
});
afterEach(() => forgetPlugins(server));

/** An administrator's broadcast. */
const broadcast = (text: string, key: string, by: TestServer = server) =>
  call(by, "POST /admin/shard/broadcast", {
    headers: { ...admin.headers, "idempotency-key": key },
    body: { text },
  });

describe("the digest of a command", () => {
  it("is found by nobody who tries passwords without the site's key", async () => {
    await call(server, "PUT /admin/settings", { ...admin, body: { game_account_signup: true } });
    const served = plugin.serve(200, { account: "maple", linked: true });
    const made = await call(server, "POST /player/shard/account", {
      headers: admin.headers,
      body: { account: "maple", password: "a-long-walk-to-Luna" },
    });
    expect(made.status).toBe(201);
    const { ip } = (await served).body as { ip: string };
    const [row] = await query<{ digest: Buffer; outcomeDigest: Buffer }>(
      server,
      `select digest, outcome_digest as "outcomeDigest" from plugin_commands`,
    );
    const sha = (text: string) => createHash("sha256").update(text).digest("hex");
    const body = { account: "maple", password: "a-long-walk-to-Luna", ip };
    const guess = sha(JSON.stringify(["POST /v1/accounts", { params: {}, query: {}, body }]));
    expect(row?.digest.toString("hex")).not.toBe(guess);
    const guessed = sha(`200 ${JSON.stringify({ account: "maple", linked: true })}`);
    expect(row?.outcomeDigest.toString("hex")).not.toBe(guessed);
  });

  it("is that of a repeat also where another key of the site has become the first", async () => {
    const renewed = await startTestServer({
      database: server.database,
      environment: {
        JWT_KEYS: `new:${Buffer.alloc(32, 9).toString("base64")},test:${Buffer.alloc(32, 7).toString("base64")}`,
      },
    });
    try {
      const key = randomUUID();
      const served = plugin.serve(200, { ok: true });
      expect((await broadcast("once", key)).status).toBe(200);
      await served;
      expect(outcome(await broadcast("once", key, renewed))).toEqual([200, { ok: true }]);
      expect((await broadcast("another text", key, renewed)).status).toBe(409);
    } finally {
      await renewed.stop();
    }
  });
});
