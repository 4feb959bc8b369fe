import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";
import { QueueActionButton } from "./act-button.ts";
import { type JobAction, JobCard } from "./job-card.ts";
import { isInGroup } from "./job-error.ts";
import type { QueueActionRunner, FailureGroup, Job, JobList } from "./use-queues.ts";

interface Props {
  readonly list: JobList;
  readonly act: QueueActionRunner;
  readonly refresh: () => Promise<void>;
}

/** Failed jobs by queue and error. */
export function FailedJobs({ list, act, refresh }: Props): VNode {
  const queues = [...new Set(list.groups.map(({ queue }) => queue))];
  if (queues.length === 0) return html`<p class="soft">${words.queues.noneFailed}</p>`;
  return html`<div class="stack">
    ${queues.map(
      (queue) =>
        html`<${FailedQueue} key=${queue} queue=${queue} list=${list} act=${act} refresh=${refresh} />`,
    )}
  </div>`;
}

function FailedQueue({ queue, list, act, refresh }: Props & { readonly queue: string }): VNode {
  const groups = list.groups.filter((group) => group.queue === queue);
  const count = groups.reduce((sum, { jobs }) => sum + jobs, 0);
  const path = { queue };
  const { retryAll, retryAllOf, discardAll, discardAllOf, discardQuestion } = words.queues;
  const discard = async () => {
    await callApi("POST /admin/jobs/queues/{queue}/discard-failed", { path });
    await refresh();
  };
  const action = { text: words.queues.retry, name: "retry" } as const;
  return html`<article class="card">
    <div class="row">
      <h3>${queue}</h3>
      <span class="soft">${words.queues.failedJobs(count)}</span>
      <span class="buttons">
        <${QueueActionButton}
          text=${retryAll}
          label=${retryAllOf(queue)}
          work=${() => callApi("POST /admin/jobs/queues/{queue}/retry-failed", { path })}
          act=${act}
        />
        <${ConfirmButton}
          text=${discardAll}
          label=${discardAllOf(queue)}
          title=${discardAllOf(queue)}
          question=${discardQuestion(queue)}
          confirm=${discardAll}
          onConfirm=${discard}
          danger
        />
      </span>
    </div>
    ${groups.map(
      (group) =>
        html`<section key=${group.error} class="inset" data-group>
          <${Failures} group=${group} jobs=${list.jobs} action=${action} act=${act} />
        </section>`,
    )}
  </article>`;
}

/** Failed jobs that the service will try again, by queue and error. */
export function RetryingJobs({ list, act }: Omit<Props, "refresh">): VNode {
  if (list.groups.length === 0) return html`<p class="soft">${words.queues.noneRetrying}</p>`;
  const action = { text: words.queues.cancel, name: "cancel" } as const;
  return html`<div class="stack">
    ${list.groups.map(
      (group) =>
        html`<section key=${`${group.queue} ${group.error}`} class="card">
          <h3>${group.queue}</h3>
          <${Failures} group=${group} jobs=${list.jobs} action=${action} act=${act} />
        </section>`,
    )}
  </div>`;
}

/** An error, how often and when it occurred, and the jobs that failed with it. */
function Failures({
  group,
  jobs,
  action,
  act,
}: {
  readonly group: FailureGroup;
  readonly jobs: readonly Job[];
  readonly action: JobAction;
  readonly act: QueueActionRunner;
}): VNode {
  // The list of a single job is open from the start. It stays open when more jobs fail, because somebody may read it.
  const [isOpen] = useState(group.jobs === 1);
  const members = jobs.filter((job) => isInGroup(group, job));
  const { newestOf, when, jobCount, noReason } = words.queues;
  const { jobs: count, error } = group;
  const last = when.last(formatAgo(group.lastAt));
  const rest = count > members.length ? newestOf(members.length) : "";
  return html`<p class="bad">
      ${count > 1 && html`<strong>${count} × </strong>`}${error ?? noReason}
    </p>
    <p class="soft">${last}${count > 1 && when.first(formatAgo(group.firstAt))}</p>
    <details open=${isOpen} class=${isOpen && count === 1 ? "alone" : ""}>
      <summary>${jobCount(count)}${rest}</summary>
      ${members.map(
        (job) =>
          html`<${JobCard} key=${job.id} job=${job} action=${action} act=${act} isInGroup />`,
      )}
    </details>`;
}
