import { randomUUID } from "node:crypto";

import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let database: TestDatabase;
let server: TestServer;
let second: TestServer;
let admin: SignedIn;

beforeEach(async () => {
  database = await createTestDatabase();
  server = await startTestServer({ database, environment: { DATABASE_POOL: "12" } });
  second = await startTestServer({ database });
  admin = await signIn(server, { role: "admin" });
});
afterEach(() => database.drop());

/**
 * Stops both processes and counts the deadlocks. PostgreSQL may add a connection's deadlocks to the
 * statistics only when the connection ends.
 */
async function countDeadlocks(): Promise<unknown> {
  await Promise.all([second.stop(), server.stop()]);
  const client = new Client(database.url);
  await client.connect();
  try {
    await waitUntil("all connections have ended", async () => {
      const others =
        "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
      return (await client.query(others)).rowCount === 0;
    });
    const counted =
      "select deadlocks::integer from pg_stat_database where datname = current_database()";
    return (await client.query<{ deadlocks: number }>(counted)).rows[0]?.deadlocks;
  } finally {
    await client.end();
  }
}

const rounds = Number(process.env["RACE_ROUNDS"] ?? 8);

/**
 * Creates a survival server with two valid plugin keys. Its plugin has said hello with each of
 * them.
 */
async function linkServer(): Promise<{ id: number; plugin: TestPlugin; renewed: TestPlugin }> {
  const { id } = await buildSurvivalServer(server, { kind: "plugin", enabled: true });
  const source = sourceNameOf(id);
  const plugin = new TestPlugin(server, await buildPluginKey(server, source));
  plugin.game = "rust";
  expect((await plugin.hello()).status).toBe(200);
  const renewed = new TestPlugin(second, await buildPluginKey(server, source));
  Object.assign(renewed, { game: "rust", bootId: plugin.bootId, epoch: plugin.epoch });
  await query(
    server,
    `insert into plugin_commands (id, source, call, input, key, digest, state, is_read, take_before,
       answer_before)
     select gen_random_uuid(), $1, 'POST /v1/announce', '{}', 'key ' || n, '',
       case when n % 2 = 0 then 'waiting' else 'taken' end, false, now() + interval '1 minute',
       now() + interval '1 minute'
     from generate_series(1, 6) n`,
    source,
  );
  return { id, plugin, renewed };
}

const saved = {
  kind: "server.broadcast",
  t: 1_790_000_000_000,
  payload: { text: "The gate opens" },
};

const change = (id: number, route: string, body: object = {}): Promise<ApiAnswer> =>
  callRoute(server, route.replace(":id", String(id)), { headers: admin.headers, body });

/** CATALOG of changes of a link by an administrator, while the plugin is calling. */
const changes: readonly (readonly [string, (id: number) => Promise<ApiAnswer>])[] = [
  [
    "gets another kind",
    (id) =>
      change(id, "PUT /admin/survival/servers/:id", {
        kind: "sidecar",
        enabled: false,
      }),
  ],
  ["is changed", (id) => change(id, "PUT /admin/survival/servers/:id", { enabled: false })],
  ["is deleted", (id) => change(id, "DELETE /admin/survival/servers/:id?purge=true")],
  ["gets a key", (id) => change(id, "POST /admin/survival/servers/:id/plugin-key")],
  ["loses its keys", (id) => change(id, "DELETE /admin/survival/servers/:id/plugin-key")],
];

describe("concurrent calls of a plugin while its link is changed", () => {
  it.each(changes)("are answered without a deadlock if the link %s", async (_what, act) => {
    for (let round = 0; round < rounds; round += 1) {
      const { id, plugin, renewed } = await linkServer();
      const answers = await Promise.all([
        plugin.send([{ seq: 1, ...saved }]),
        renewed.hello(),
        plugin.send([
          { seq: 1, ...saved },
          { seq: 2, ...saved },
        ]),
        act(id),
        renewed.wait(0),
        plugin.hello({ epoch: randomUUID() }),
        plugin.wait(0),
        renewed.send([{ seq: 1, ...saved }]),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect([200, 201, 204]).toContain(statuses[3]);
    }
    expect(await countDeadlocks()).toBe(0);
  });
});
