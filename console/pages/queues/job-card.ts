import type { ComponentChildren, VNode } from "preact";

import { callApi } from "../../api/call.ts";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { type JobProgress, JobProgressBar } from "../../parts/job-progress.ts";
import { words } from "../../words/words.ts";
import { QueueActionButton } from "./act-button.ts";
import { errorOf, hasError } from "./job-error.ts";
import type { QueueActionRunner, Job } from "./use-queues.ts";

/** The button of a job. */
export interface JobAction {
  readonly text: string;
  readonly name: "retry" | "cancel";
}

const runAction = (id: string, name: JobAction["name"]) => {
  const path = { id };
  return name === "retry"
    ? callApi("POST /admin/jobs/{id}/retry", { path })
    : callApi("POST /admin/jobs/{id}/cancel", { path });
};

/**
 * A job with its times, progress, details and button.
 * @param isInGroup true if a heading above the card names the queue and the error
 */
export function JobCard({
  job,
  action,
  act,
  progress = job.progress,
  isInGroup = false,
}: {
  readonly job: Job;
  readonly action: JobAction;
  readonly act: QueueActionRunner;
  readonly progress?: JobProgress | null;
  readonly isInGroup?: boolean;
}): VNode {
  const when = html`<p class="soft">${whenOf(job)}, ${triesOf(job)} · ${job.id}</p>`;
  const button = html`<${QueueActionButton}
    text=${action.text}
    label=${`${action.text} ${job.queue}`}
    work=${() => runAction(job.id, action.name)}
    act=${act}
  />`;
  return html`<article class=${isInGroup ? "inset" : "card"} data-job=${job.id}>
    <div class="row">${isInGroup ? when : html`<h3>${job.queue}</h3>`} ${button}</div>
    ${!isInGroup && hasError(job) && html`<p class="bad">${errorOf(job)}</p>`}
    ${!isInGroup && when}
    ${job.state === "active" && html`<${JobProgressBar} progress=${progress} />`}
    <details>
      <summary aria-label=${words.queues.detailsOf(job.queue, job.id)}>${words.queues.details}</summary>
      <dl>
        ${listFacts(job).map(([name, value]) => [
          html`<dt key=${`${name} name`}>${name}</dt>`,
          html`<dd key=${name}>${value}</dd>`,
        ])}
      </dl>
    </details>
  </article>`;
}

function whenOf({ state, startedAt, completedAt, nextTryAt }: Job): string {
  const text = words.queues.when;
  if (state === "retry") return text.retry(untilOf(nextTryAt));
  if (state === "failed" && completedAt) return text.failed(formatAgo(completedAt));
  if (state === "cancelled" && completedAt) return text.cancelled(formatAgo(completedAt));
  if (state === "created") return text.created(untilOf(nextTryAt));
  return startedAt ? text.started(formatAgo(startedAt)) : text.notStarted;
}

/** Returns the time until an instant, in words. A past instant counts as now. */
const untilOf = (time: string | null): string =>
  formatAgo(time === null ? null : Math.max(Date.parse(time), Date.now()));

const mostAttempts = ({ attempts, retryLimit }: Job): number =>
  Math.max(1, attempts, retryLimit + 1);

const triesOf = (job: Job): string =>
  words.queues.attempt(Math.max(1, job.attempts), mostAttempts(job));

const long = (text: string): VNode => html`<pre tabindex="0">${text}</pre>`;

/** Lists all details of a job. The service never sends personal data. */
function listFacts(job: Job): readonly (readonly [string, ComponentChildren])[] {
  const { facts, attemptsOf, personal, states } = words.queues;
  const { data } = job;
  return [
    [facts.job, job.id],
    [facts.state, states[job.state]],
    [facts.attempts, attemptsOf(job.attempts, Math.max(job.attempts, job.retryLimit + 1))],
    [facts.created, formatTime(job.createdAt)],
    [facts.started, formatTime(job.startedAt)],
    [facts.ended, formatTime(job.completedAt)],
    ...(job.nextTryAt ? [[facts.nextTry, formatTime(job.nextTryAt)] as const] : []),
    [facts.arguments, long(data === null ? personal : JSON.stringify(data, null, 2))],
    ...listOutput(job),
  ];
}

function listOutput(job: Job): readonly (readonly [string, ComponentChildren])[] {
  const { facts } = words.queues;
  const { output } = job;
  if (!output) return [];
  if (!hasError(job)) return [[facts.result, long(JSON.stringify(output, null, 2))]];
  const { name, code, stack } = output;
  const error = [name, code, errorOf(job)].filter((part) => typeof part === "string" && part);
  return [
    [facts.error, error.join(": ")],
    ...(typeof stack === "string" ? [[facts.stack, long(stack)] as const] : []),
  ];
}
