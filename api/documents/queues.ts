import { formatDurationInWords } from "../../shared/platform/config/values.ts";
import { queueGroups, type QueueSpec } from "../../shared/platform/queue/queue-spec.ts";
import { type QueueName, queues } from "../../shared/platform/queue/queues.ts";
import { formatCode, formatCodes, markdownTable } from "./table.ts";

const specs = Object.entries(queues) as [QueueName, QueueSpec<object>][];

const policies: Readonly<Record<QueueSpec<object>["policy"], string>> = {
  standard: "any number",
  exclusive: "one, waiting or active",
  short: "one waiting",
};

const rowOf = ([name, spec]: (typeof specs)[number]): readonly string[] => [
  formatCode(name),
  spec.group,
  policies[spec.policy],
  String(spec.retries),
  formatDurationInWords(spec.expireSeconds * 1000),
  String(spec.concurrency),
  spec.cron === undefined ? "" : formatCode(spec.cron),
];

/** Returns the text of `docs/operate/queues.md`. */
export const queuesPage = (): string => `# Queues

For people who run workers. This page lists every job queue and the group to which the queue belongs.

A worker that you start with \`npm run worker\` runs the jobs of all queues. A worker that you start
with \`npm run worker -- push events\` runs only the jobs of the queues in the groups \`push\` and
\`events\`. The groups are ${formatCodes(queueGroups)}. Each group needs at least one running worker.

The columns of the table:

- **Jobs**: how many unfinished jobs with the same key the queue accepts. Most queues give all their jobs
  the same key; some use one key for each object, such as an event run or a server. "One, waiting or
  active" means that the queue refuses a new job while another job with the key waits or runs. "One
  waiting" means that one job can wait while another job with the key runs.
- **Retries**: how often a job is retried after a failed attempt before the job counts as failed.
- **Timeout**: how long one attempt of a job may run before the attempt counts as failed.
- **Concurrency**: how many jobs of the queue one worker process runs at the same time.
- **Schedule**: when the service enqueues a job automatically, as a cron expression in UTC. The jobs of
  queues without a schedule are enqueued by requests, events or other jobs.

${markdownTable(["Queue", "Group", "Jobs", "Retries", "Timeout", "Concurrency", "Schedule"], specs.map(rowOf))}
`;
