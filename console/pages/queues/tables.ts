import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import { formatAgo, formatDuration, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { words } from "../../words/words.ts";
import { QueueActionButton } from "./act-button.ts";
import type { QueueActionRunner, Job, Queue, QueueStates } from "./use-queues.ts";

/** The name of a queue, which may break after the dot. */
function nameOf(queue: string): VNode {
  const [group, ...rest] = queue.split(".");
  return html`<span>${group}.<wbr />${rest.join(".")}</span>`;
}

const number = (text: string) => ({ text, isNumber: true });

const marked = (text: string, isBad: boolean) =>
  isBad ? html`<span class="bad">${text}</span>` : text;

/** All queues, with a button to pause or resume each. */
export function QueueTable({
  queues,
  act,
}: {
  readonly queues: readonly Queue[];
  readonly act: QueueActionRunner;
}): VNode {
  const { heads, allQueues, noQueues } = words.queues;
  const rows = queues.map((queue) => ({
    key: queue.name,
    cells: [
      nameOf(queue.name),
      ...countsOf(queue),
      queue.schedule === null
        ? "–"
        : html`<span class="soft" title=${queue.schedule}>${queue.scheduleInWords}</span>`,
      html`<${PauseButton} queue=${queue} act=${act} />`,
    ],
  }));
  const counts = [heads.waiting, heads.retrying, heads.oldest, heads.active, heads.failed];
  const titles = [
    heads.queue,
    ...[...counts, heads.doneLastHour, heads.workers].map(number),
    heads.schedule,
    heads.takingJobs,
  ];
  return html`<${Table} label=${allQueues} heads=${titles} rows=${rows} none=${noQueues} />`;
}

function countsOf(queue: Queue) {
  const { depth, retrying, oldestSeconds, active, failed, completedLastHour, workers } = queue;
  return [
    formatNumber(depth),
    marked(formatNumber(retrying), retrying > 0),
    marked(formatDuration(oldestSeconds), (oldestSeconds ?? 0) > 60),
    formatNumber(active),
    marked(formatNumber(failed), failed > 0),
    formatNumber(completedLastHour),
    marked(formatNumber(workers), workers === 0 && depth > 0),
  ];
}

/** Pauses or resumes a queue. It is one button, so that it keeps the focus when its text changes. */
function PauseButton({
  queue,
  act,
}: {
  readonly queue: Queue;
  readonly act: QueueActionRunner;
}): VNode {
  const { name, paused } = queue;
  const { pause, resume, pauseQueue, resumeQueue, pausedAgo } = words.queues;
  const path = { queue: name };
  const work = () =>
    paused
      ? callApi("POST /admin/jobs/queues/{queue}/resume", { path })
      : callApi("POST /admin/jobs/queues/{queue}/pause", { path });
  return html`<div>
    ${paused && html`<p class="bad">${pausedAgo(formatAgo(paused.at), paused.by)}</p>`}
    <${QueueActionButton}
      key="button"
      text=${paused ? resume : pause}
      label=${paused ? resumeQueue(name) : pauseQueue(name)}
      work=${work}
      act=${act}
    />
  </div>`;
}

/** The jobs that ended last. Imports have a status as result; other jobs are just done. */
export function FinishedJobsTable({ jobs }: { readonly jobs: readonly Job[] }): VNode {
  const { heads, finished, noneFinished } = words.queues;
  const rows = jobs.map((job) => ({
    key: job.id,
    cells: [nameOf(job.queue), outcomeOf(job), tookOf(job), formatAgo(job.completedAt)],
  }));
  const titles = [heads.queue, heads.outcome, number(heads.took), number(heads.ended)];
  return html`<${Table} label=${finished} heads=${titles} rows=${rows} none=${noneFinished} />`;
}

const badOutcomes: readonly unknown[] = ["unavailable", "failed", "needsReview"];

function outcomeOf({ output }: Job) {
  const { status, reason } = output ?? {};
  const text = typeof status === "string" ? status : words.queues.done;
  return marked(
    typeof reason === "string" ? `${text}: ${reason}` : text,
    badOutcomes.includes(status),
  );
}

const tookOf = ({ startedAt, completedAt }: Job): string =>
  formatDuration(
    startedAt && completedAt
      ? Math.round((Date.parse(completedAt) - Date.parse(startedAt)) / 1_000)
      : null,
  );

/** The running processes of the service. */
export function ProcessTable({ processes }: { readonly processes: QueueStates["workers"] }): VNode {
  const { heads, processes: label, noProcess } = words.queues;
  const rows = processes.map(
    ({ id, kind, pid, queueGroups, host, version, startedAt, seenAt }) => ({
      key: id,
      cells: [
        `${kind} ${pid}`,
        queueGroups.join(", ") || "–",
        host,
        version,
        formatDuration(Math.max(0, Math.round((Date.now() - Date.parse(startedAt)) / 1_000))),
        formatAgo(seenAt),
      ],
    }),
  );
  const titles = [
    heads.process,
    heads.works,
    heads.host,
    heads.version,
    number(heads.upFor),
    number(heads.lastSeen),
  ];
  return html`<${Table} label=${label} heads=${titles} rows=${rows} none=${noProcess} />`;
}
