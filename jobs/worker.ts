import { collectDefaultMetrics, Registry } from "prom-client";

import { loadConfig } from "../shared/config/config.ts";
import { readinessOf } from "../shared/ops/health.ts";
import { closeServer, startInternalServer } from "../shared/ops/internal-server.ts";
import { keepProcessRow } from "../shared/ops/processes.ts";
import { stopOnSignals } from "../shared/process.ts";
import { createBoss } from "../shared/queue/queue.ts";
import { type QueueGroup, queueGroups } from "../shared/queue/queues.ts";
import { startContext } from "../shared/start-context.ts";
import { workQueues } from "./work.ts";

const asked = process.argv.slice(2);
const unknown = asked.filter((group) => !queueGroups.includes(group as QueueGroup));
if (unknown.length > 0) {
  process.stderr.write(
    `No such queue group: ${unknown.join(", ")}. There are ${queueGroups.join(", ")}.\n`,
  );
  process.exit(78);
}
const groups = asked.length > 0 ? (asked as QueueGroup[]) : queueGroups;

const config = loadConfig();
const registry = new Registry();
collectDefaultMetrics({ register: registry });
const { context, parts } = await startContext(config, "worker");
const boss = createBoss(config, context.log, { supervise: true });
await boss.start();
await workQueues(boss, groups, context);

let draining = false;
const internal = await startInternalServer({
  process: "worker",
  host: config.INTERNAL_HOST,
  port: config.INTERNAL_PORT,
  registry,
  readiness: readinessOf(context, () => draining),
});
parts.push(
  { name: "internal listener", stop: () => closeServer(internal) },
  await keepProcessRow(context, "worker", groups),
  { name: "workers", stop: () => boss.stop({ graceful: true, timeout: 10_000 }) },
  { name: "readiness", stop: () => Promise.resolve((draining = true)) },
);
stopOnSignals(context.log, () => parts);
context.log.info({ groups }, "working");
