import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { rows } from "../../shared/db/rows.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { until } from "../support/clock/wait.ts";
import { type Answered, ask, call, retryAfter } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let gatekeeper: Client;

const connections = 4;
const share = connections / 2;
const lockId = 4_711;

/** A read that takes until the test lets it go. */
const heldRead = route({
  method: "get",
  path: "/api/v1/public/held",
  gate: "public",
  set: "additive",
  tag: "Site",
  summary: "A read that is held",
  answers: { 200: "Error" },
  handle: async (_input, { sequelize }) => {
    await rows(sequelize, "select pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)", [
      lockId,
    ]);
    return { error: "none" };
  },
});

beforeAll(async () => {
  server = await startTestServer({
    environment: { DATABASE_POOL: String(connections) },
    routes: [...routes, heldRead],
  });
  gatekeeper = new Client(server.database.url);
  await gatekeeper.connect();
});
afterAll(async () => {
  await gatekeeper.end();
  await server.stop();
});

const read = () => ask(`${server.url}/api/v1/public/held`, { isUndescribed: true });

const countHeld = async (): Promise<number> => {
  const { rows: found } = await gatekeeper.query<{ held: number }>(
    "select count(*)::integer as held from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
    [lockId],
  );
  return found[0]?.held ?? 0;
};

describe("anonymous reads that all wait for the database", () => {
  it("hold half of the pool, and are refused when they wait for long", async () => {
    const { headers } = await signIn(server);
    await gatekeeper.query("select pg_advisory_lock($1)", [lockId]);
    const early: Answered[] = [];
    const asked = Array.from({ length: 24 }, async () => {
      const answered = await read();
      early.push(answered);
      return answered;
    });
    await until("reads that are held", async () => (await countHeld()) === share);
    const mine = await call(server, "GET /auth/me", { headers });
    const written = await call(server, "POST /auth/logout", { headers });
    expect([mine.status, written.status]).toEqual([200, 200]);
    expect(await countHeld()).toBe(share);
    await until("refusals", () => early.length === 24 - share);
    for (const one of early) expect([one.status, retryAfter(one)]).toEqual([503, 1]);
    await gatekeeper.query("select pg_advisory_unlock($1)", [lockId]);
    const answered = await Promise.all(asked);
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(share);
    expect((await read()).status).toBe(200);
  });
});
