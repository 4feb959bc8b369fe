import { EventSweeper } from "../shared/events/engine/sweeper.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { configExitCode } from "../shared/platform/config/config.ts";
import { createPgBoss, startPgBoss } from "../shared/platform/queue/queue.ts";
import { type QueueGroup, queueGroups } from "../shared/platform/queue/queues.ts";
import { startQueueWorkers } from "./work-queues.ts";

/** The timeout of a statement. Imports build whole tables in one statement, which takes long. */
const statementMs = 15 * 60_000;

const requestedGroups = process.argv.slice(2);
const unknown = requestedGroups.filter((group) => !queueGroups.includes(group as QueueGroup));
if (unknown.length > 0) {
  const known = queueGroups.join(", ");
  process.stderr.write(`No such queue group: ${unknown.join(", ")}. There are ${known}.\n`);
  process.exit(configExitCode);
}
const groups = requestedGroups.length > 0 ? (requestedGroups as QueueGroup[]) : queueGroups;

const { config, context, registry, parts, begin } = await startProcess(
  "worker",
  groups,
  statementMs,
);
const boss = createPgBoss(config, context.log, { works: true, supervises: true });
await context.startWait.for(() => startPgBoss(boss));
parts.push({ name: "workers", stop: () => boss.stop({ graceful: true, timeout: 10_000 }) });
if (groups.includes("events")) {
  const sweeper = new EventSweeper(context);
  sweeper.start();
  parts.push({ name: "events", stop: () => sweeper.stop() });
}
await startQueueWorkers(boss, groups, { ...context, registry });
// A new release may render and index texts differently, so look for stale texts at once.
if (groups.includes("upkeep")) await context.queue.enqueue("content.render-texts", {});
begin({ groups }, "working");
