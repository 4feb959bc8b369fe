import type { VNode } from "preact";

import { formatClock } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { Section } from "../../parts/section.ts";
import { useJobProgress } from "../../parts/use-progress.ts";
import { words } from "../../words/words.ts";
import { FailedJobs, RetryingJobs } from "./failures.ts";
import { JobCard } from "./job-card.ts";
import { Reviews } from "./reviews.ts";
import { FinishedJobsTable, ProcessTable, QueueTable } from "./tables.ts";
import { type QueueActionRunner, type Job, type QueuesReport, useQueues } from "./use-queues.ts";

/** A live view of queues, jobs and processes. */
export function Queues(): VNode {
  const { report, problem, actionProblem, act, refresh } = useQueues();
  const isUpdated = report !== null && problem === null;
  return html`<div class="row">
      <h1>${words.pages.queues}</h1>
      ${isUpdated && html`<p class="soft">${words.queues.asOf(formatClock(report.readAt))}</p>`}
    </div>
    <div aria-busy=${report === null && problem === null}>
      ${
        problem &&
        html`<p>${words.queues.notUpdated}</p>
        <${ProblemView} problem=${problem} />
        <button type="button" onClick=${() => void refresh()}>${words.actions.tryAgain}</button>`
      }
      ${
        actionProblem &&
        html`<p>${words.queues.actionFailed}</p>
        <${ProblemView} problem=${actionProblem} />`
      }
      ${
        report
          ? html`<${Report} report=${report} act=${act} refresh=${refresh} />`
          : !problem && html`<p class="soft">${words.loading}</p>`
      }
    </div>`;
}

function Report({
  report,
  act,
  refresh,
}: {
  readonly report: QueuesReport;
  readonly act: QueueActionRunner;
  readonly refresh: () => Promise<void>;
}): VNode {
  const { queues, workers, reviews, failed, retrying, active, cancelled, finished } = report;
  const text = words.queues;
  return html`${reviews.length > 0 && html`<${Reviews} reviews=${reviews} refresh=${refresh} />`}
    <div class="columns">
      <${Section} title=${text.failed}>
        <${FailedJobs} list=${failed} act=${act} refresh=${refresh} />
      <//>
      <${Section} title=${text.retrying}><${RetryingJobs} list=${retrying} act=${act} /><//>
      <${Section} title=${text.running}><${RunningJobs} jobs=${active} act=${act} /><//>
    </div>
    <h2>${text.allQueues}</h2>
    <${QueueTable} queues=${queues} act=${act} />
    <${Section} title=${text.cancelled}><${CancelledJobs} jobs=${cancelled} act=${act} /><//>
    <h2>${text.finished}</h2>
    <${FinishedJobsTable} jobs=${finished} />
    <h2>${text.processes}</h2>
    <${ProcessTable} processes=${workers} />`;
}

interface JobsProps {
  readonly jobs: readonly Job[];
  readonly act: QueueActionRunner;
}

/** Running jobs. Between two refreshes, their progress comes from the stream. */
function RunningJobs({ jobs, act }: JobsProps): VNode {
  const progressOf = useJobProgress(jobs);
  if (jobs.length === 0) return html`<p class="soft">${words.queues.noneRunning}</p>`;
  const action = { text: words.queues.cancel, name: "cancel" };
  return html`<div class="stack">
    ${jobs.map(
      (job) =>
        html`<${JobCard}
          key=${job.id}
          job=${job}
          action=${action}
          act=${act}
          progress=${progressOf(job)}
        />`,
    )}
  </div>`;
}

function CancelledJobs({ jobs, act }: JobsProps): VNode {
  if (jobs.length === 0) return html`<p class="soft">${words.queues.noneCancelled}</p>`;
  const action = { text: words.queues.runAgain, name: "retry" };
  return html`<div class="stack">
    ${jobs.map((job) => html`<${JobCard} key=${job.id} job=${job} action=${action} act=${act} />`)}
  </div>`;
}
