import { durationInWords } from "../../shared/config/values.ts";
import { queueGroups, type QueueSpec } from "../../shared/queue/queue-spec.ts";
import { type QueueName, queues } from "../../shared/queue/queues.ts";
import { code, codes, markdownTable } from "./table.ts";

const specs = Object.entries(queues) as [QueueName, QueueSpec<object>][];

const policies: Readonly<Record<QueueSpec<object>["policy"], string>> = {
  standard: "any number",
  exclusive: "one, waiting or active",
  short: "one that waits",
};

const rowOf = ([name, spec]: (typeof specs)[number]): readonly string[] => [
  code(name),
  spec.group,
  policies[spec.policy],
  String(spec.retries),
  durationInWords(spec.expireSeconds * 1000),
  String(spec.concurrency),
  spec.cron === undefined ? "" : code(spec.cron),
];

/** `docs/operate/queues.md`. */
export const queuesPage = (): string => `# Queues

For people who run workers. This page lists every queue of jobs, with the group by which workers take it.

\`npm run worker\` works every queue. \`npm run worker -- push events\` works the queues of these groups
alone; the groups are ${codes(queueGroups)}. At least one worker must work each group.

- **Jobs**: how many jobs of one key the queue holds.
- **Retries**: how often a failed job is tried again before it counts as failed.
- **Timeout**: how long one attempt may run before the queue gives it to another worker.
- **At once**: how many jobs one worker process works at the same time.
- **Schedule**: when a job starts by itself, as a cron expression in UTC.

${markdownTable(["Queue", "Group", "Jobs", "Retries", "Timeout", "At once", "Schedule"], specs.map(rowOf))}
`;
