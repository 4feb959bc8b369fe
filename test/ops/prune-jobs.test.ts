import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { queues } from "../../shared/platform/queue/queues.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let server: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  server = await startTestServer();
  worker = await startTestWorker(server, ["upkeep"], { supervises: true });
  // The scheduler's queue exists only after the first worker has started.
  await waitUntil("the clock has its queue", async () => {
    const made = await query(server, "select 1 from pgboss.queue where name = $1", sendIt);
    return made.length === 1;
  });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

/** The name of pg-boss's own queue for scheduled jobs. */
const sendIt = "__pgboss__send-it";
const everyMinute = Object.entries(queues)
  .filter(([, { cron }]) => cron === "* * * * *")
  .map(([name]) => name);
/** Queues with many jobs, which games, messages and event steps cause. */
const busy = [
  "event.step",
  "event.trigger",
  "push.dispatch",
  "push.send",
  "survival.fetch-map",
  "survival.push",
  "survival.titles",
  "webhook.dispatch",
  "webhook.send",
];

/** Inserts completed jobs of these queues: one per minute, for this many hours. */
const plantFirings = (names: readonly string[], hours: number) =>
  query(
    server,
    `insert into pgboss.job (id, name, state, created_on, started_on, completed_on, singleton_key,
       retry_limit, retry_delay, retry_backoff, expire_seconds, deletion_seconds, keep_until)
     select gen_random_uuid(), name, 'completed', fired, fired, fired, gen_random_uuid()::text,
       3, 5, true, 900, 604800, fired + interval '14 days'
     from unnest($1::text[]) name,
       generate_series(now() - make_interval(hours => $2), now(), interval '1 minute') fired`,
    names,
    hours,
  );

const countOf = async (names: readonly string[]): Promise<number> => {
  const [row] = await query<{ count: string }>(
    server,
    "select count(*) from pgboss.job where name = any($1) and state = 'completed'",
    names,
  );
  return Number(row?.count);
};

const prune = async () => {
  const id = await server.context.queue.enqueue("ops.prune-jobs", {}, { key: randomUUID() });
  await waitUntil("it is pruned", async () => {
    const [job] = await query<{ state: string }>(
      server,
      "select state from pgboss.job where id = $1",
      id,
    );
    return job?.state === "completed";
  });
};

describe("the job ops.prune-jobs", () => {
  it("keeps at most one hour of the completed jobs of scheduled and busy queues", async () => {
    expect(everyMinute.length).toBeGreaterThan(3);
    const fired = [sendIt, ...everyMinute, ...busy];
    await plantFirings(fired, 30);
    expect(await countOf(fired)).toBeGreaterThan(fired.length * 30 * 60);
    await prune();
    const left = await countOf(fired);
    expect(left).toBeGreaterThanOrEqual(fired.length * 59);
    // The scheduler may have added jobs during the test.
    expect(left).toBeLessThanOrEqual(fired.length * 65);
  });

  it("keeps failed and canceled jobs, and completed jobs of other queues", async () => {
    const kept = ["push.sweep", "market.match", "auth.send-mail"];
    await query(server, "delete from pgboss.job where name = any($1)", kept);
    await plantFirings(kept, 2);
    for (const [name, state] of [
      ["push.sweep", "failed"],
      ["market.match", "cancelled"],
    ]) {
      await query(
        server,
        "update pgboss.job set state = $2::pgboss.job_state where name = $1",
        name,
        state,
      );
    }
    const states = () =>
      query(
        server,
        `select name, state::text, count(*)::integer from pgboss.job
         where name = any($1) and completed_on < now() - interval '61 minutes'
           and created_on = completed_on group by 1, 2 order by 1`,
        kept,
      );
    const before = await states();
    expect(before).toHaveLength(3);
    await prune();
    expect(await states()).toEqual(before);
  });
});
