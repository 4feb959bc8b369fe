import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Counter, Registry } from "prom-client";

import { freePort } from "../../shared/local/ports.ts";
import { observeQueues } from "../../shared/queue/metrics.ts";
import { queues } from "../../shared/queue/queues.ts";
import { OwnProcess } from "../support/own-process.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const queue = "ops.prune-processes";
const enqueue = () => server.context.queue.enqueue(queue, {}, { key: randomUUID() });

/** The samples of one queue, by the name of the measure. */
const samplesOf = (text: string, name: string): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(/^(queue_\w+)\{queue="([^"]+)"\} (\S+)$/gm)]
      .filter(([, , of]) => of === name)
      .map(([, measure, , value]) => [measure, Number(value)]),
  );

const idle = {
  queue_depth: 0,
  queue_active: 0,
  queue_failed: 0,
  queue_oldest_seconds: 0,
  queue_completed_last_hour: 0,
  queue_failed_last_hour: 0,
  queue_workers: 0,
};

it("every queue is measured, also one that nothing waits in", async () => {
  const registry = new Registry();
  observeQueues(registry, server.context.sequelize);
  const text = await registry.metrics();
  for (const name of Object.keys(queues)) expect(samplesOf(text, name)).toEqual(idle);
});

it("what waits, runs, was done and was given up is counted, and for how long it waits", async () => {
  const registry = new Registry();
  observeQueues(registry, server.context.sequelize);
  const [late, active, done, failed] = [
    await enqueue(),
    await enqueue(),
    await enqueue(),
    await enqueue(),
  ];
  const change = (id: string | null, values: string) =>
    server.context.sequelize.query(`update pgboss.job set ${values} where id = $1`, { bind: [id] });
  await change(late, "start_after = now() - interval '90 seconds'");
  await change(active, "state = 'active'");
  await change(done, "state = 'completed', completed_on = now()");
  await change(failed, "state = 'failed', completed_on = now() - interval '2 hours'");
  const { queue_oldest_seconds: oldest, ...counted } = samplesOf(await registry.metrics(), queue);
  expect(counted).toEqual({
    queue_depth: 1,
    queue_active: 1,
    queue_failed: 1,
    queue_completed_last_hour: 1,
    queue_failed_last_hour: 0,
    queue_workers: 0,
  });
  expect(oldest).toBeGreaterThanOrEqual(90);
});

it("while the database cannot be read the other measures are shown all the same", async () => {
  const registry = new Registry();
  new Counter({ name: "tests_total", help: "Tests.", registers: [registry] }).inc();
  const other = await startTestServer();
  observeQueues(registry, other.context.sequelize);
  expect(samplesOf(await registry.metrics(), queue)).toEqual(idle);
  await other.stop();
  const text = await registry.metrics();
  expect(text).toContain("tests_total 1");
  expect(samplesOf(text, queue)).toEqual({});
});

it.each([
  ["web", "api/server.ts", 0],
  ["worker", "jobs/worker.ts", 1],
])("the %s process shows them on its internal listener", async (name, file, workers) => {
  const port = await freePort();
  const at = `http://127.0.0.1:${port}/internal`;
  const environment = {
    ...testEnvironment(server.database.url),
    HOST: "127.0.0.1",
    PORT: "0",
    INTERNAL_PORT: String(port),
  };
  const program = new OwnProcess({ name, file, readyAt: `${at}/health?probe=ready`, environment });
  await program.start();
  try {
    const text = await (await fetch(`${at}/metrics`)).text();
    expect(samplesOf(text, "imports.atlas")).toEqual({ ...idle, queue_workers: workers });
  } finally {
    await program.stop();
  }
});
