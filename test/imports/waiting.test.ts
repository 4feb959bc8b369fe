import { Client } from "pg";
import type { JobWithMetadata } from "pg-boss";
import { afterAll, beforeAll, expect, it } from "vitest";

import { defineImportJob } from "../../jobs/imports/import-job.ts";
import { runAttempt } from "../../jobs/run-attempt.ts";
import { blankClilocResult } from "../../shared/imports/results/clilocs.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildProcess } from "../support/factories/ops.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const queue = "imports.clilocs";
const imported = { ...blankClilocResult, source: "file", status: "imported" } as const;

let server: TestServer;
let outside: Client;
beforeAll(async () => {
  server = await startTestServer();
  outside = new Client(server.database.url);
  await outside.connect();
  await buildProcess(server);
});
afterAll(async () => {
  await outside.end();
  await server.stop();
});

/** Runs an attempt at the job, as a worker does. */
async function attempt(): Promise<unknown> {
  const boss = createPgBoss(server.config, server.context.log);
  await boss.start();
  const [handed] = await boss.fetch<object>(queue, { includeMetadata: true });
  const job = defineImportJob("clilocs", () => Promise.resolve(imported));
  const { signal } = new AbortController();
  const made = { ...(handed as JobWithMetadata), signal };
  const result = await runAttempt(job, queues[queue], made, server.context);
  await boss.stop({ graceful: false });
  return result;
}

const isTrue = async (sql: string): Promise<boolean> =>
  (await outside.query<{ yes: boolean }>(`select (${sql}) as yes`)).rows[0]?.yes === true;

const othersOf = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

it("a request that waits for an import survives the loss of every connection, and answers the result", async () => {
  const admin = await signIn(server, { role: "admin" });
  const { headers } = admin;
  const asked = callRoute(server, "POST /admin/shard/clilocs/import", {
    headers,
    body: {},
    mayFail: true,
  });
  await waitUntil("it runs", () => isTrue("exists (select from import_runs)"));
  await outside.query("begin");
  await outside.query("lock import_runs in access exclusive mode");
  const waits = `exists (select ${othersOf} and wait_event_type = 'Lock')`;
  await waitUntil("the request asks for its result", () => isTrue(waits));
  await outside.query(`select pg_terminate_backend(pid) ${othersOf}`);
  await waitUntil("none of them is left", () => isTrue(`not ${waits}`));
  await outside.query("commit");
  expect(await attempt()).toEqual(imported);
  expect(statusAndBodyOf(await asked)).toEqual([200, imported]);
});
