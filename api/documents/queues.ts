import { durationInWords } from "../../shared/config/values.ts";
import { queueGroups, type QueueSpec } from "../../shared/queue/queue-spec.ts";
import { type QueueName, queues } from "../../shared/queue/queues.ts";
import { code, codes, markdownTable } from "./table.ts";

const specs = Object.entries(queues) as [QueueName, QueueSpec<object>][];

const policies: Readonly<Record<QueueSpec<object>["policy"], string>> = {
  standard: "any number",
  exclusive: "one, waiting or active",
  short: "one waiting",
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

For people who run workers. This page lists every job queue and the group to which the queue belongs.

A worker that you start with \`npm run worker\` processes the jobs of all queues. A worker that you start
with \`npm run worker -- push events\` processes only the queues of the groups \`push\` and \`events\`. The
groups are ${codes(queueGroups)}. Each group needs at least one running worker.

- **Jobs**: how many jobs with the same key the queue accepts at the same time.
- **Retries**: how often a failed job is retried before it counts as failed.
- **Timeout**: how long one attempt may run before it counts as failed.
- **Concurrency**: how many jobs of the queue one worker process runs at the same time.
- **Schedule**: when a job is enqueued automatically, as a cron expression in UTC.

${markdownTable(["Queue", "Group", "Jobs", "Retries", "Timeout", "Concurrency", "Schedule"], specs.map(rowOf))}
`;
