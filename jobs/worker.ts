import { misconfigured } from "../shared/config/read-config.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { observeQueues } from "../shared/queue/metrics.ts";
import { createBoss } from "../shared/queue/queue.ts";
import { groupsWithQueues, type QueueGroup, queueGroups } from "../shared/queue/queues.ts";
import { workQueues } from "./work-queues.ts";

/** Imports build whole tables in one statement. */
const statementMs = 15 * 60_000;

const asked = process.argv.slice(2);
const unknown = asked.filter((group) => !queueGroups.includes(group as QueueGroup));
if (unknown.length > 0) {
  const known = queueGroups.join(", ");
  process.stderr.write(`No such queue group: ${unknown.join(", ")}. There are ${known}.\n`);
  process.exit(misconfigured);
}
const groups = asked.length > 0 ? (asked as QueueGroup[]) : queueGroups;

const { config, context, registry, parts, begin } = await startProcess(
  "worker",
  groups,
  statementMs,
);
observeQueues(registry, context.sequelize);
const boss = createBoss(config, context.log, { supervise: true });
await boss.start();
parts.push({ name: "workers", stop: () => boss.stop({ graceful: true, timeout: 10_000 }) });
await workQueues(boss, groups, context);
const idle = asked.filter((group) => !groupsWithQueues.includes(group as QueueGroup));
if (idle.length > 0) context.log.warn({ groups: idle }, "groups were named that hold no queue yet");
begin({ groups }, "working");
