import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form } from "../../parts/form.ts";
import { formatAgo } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { JobProgressBar } from "../../parts/job-progress.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { Section } from "../../parts/section.ts";
import { useAction } from "../../parts/use-action.ts";
import { toProblem } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { type ImportKind, type ImportRequestAnswer, startImport } from "./requests.ts";
import { type ImportJobs, type Job, type Queue, queueOf, useLastJob } from "./use-import-jobs.ts";

/** Sends a request for an import and shows its answer in the section. */
export type RunRequest = (work: () => Promise<ImportRequestAnswer>) => Promise<void>;

/**
 * One import: its state, how to start it, its running job and its last result.
 * @param onEnded reads the state again after an import or a decision
 * @param children makes the state and the review of the import
 */
export function ImportSection({
  kind,
  jobs,
  onEnded,
  children,
}: {
  readonly kind: ImportKind;
  readonly jobs: ImportJobs;
  readonly onEnded: () => Promise<void>;
  readonly children: (run: RunRequest) => ComponentChildren;
}): VNode {
  const [outcome, setOutcome] = useState<ImportRequestAnswer | Problem | null>(null);
  const queue = jobs.queues.find(({ name }) => name === queueOf(kind));
  const running = jobs.active.find((job) => job.queue === queueOf(kind));
  const last = useLastJob(kind, queue);
  useEffect(() => {
    if (last) void onEnded();
  }, [last?.id]);
  const run: RunRequest = async (work) => {
    setOutcome(await work().catch(toProblem));
    await Promise.all([jobs.reload(), onEnded()]);
  };
  return html`<${Section} title=${words.imports.names[kind]}>
    <p class="soft">${words.imports.about[kind]}</p>
    ${children(run)}
    ${queue && html`<${QueueNotices} queue=${queue} />`}
    ${running && html`<${RunningImport} kind=${kind} job=${running} jobs=${jobs} />`}
    ${!running && queue && queue.depth > 0 && html`<p role="status">${words.imports.waits}</p>`}
    <${OutcomeView} outcome=${outcome} />
    ${!running && html`<${StartForm} kind=${kind} run=${run} />`}
    ${last && html`<${LastResult} job=${last} />`}
  <//>`;
}

/** Why the queue of the import takes no jobs, and the number of failed jobs. */
function QueueNotices({ queue }: { readonly queue: Queue }): VNode {
  const { paused, workers, failed } = queue;
  return html`${paused && html`<p class="notice bad">${words.imports.paused(paused.by)}</p>`}
    ${workers === 0 && html`<p class="notice bad">${words.imports.noWorker}</p>`}
    ${
      failed > 0 &&
      html`<p>
        <a class="bad" href="/api/queues">${words.imports.failedJobs(failed)}</a>
      </p>`
    }`;
}

function RunningImport({
  kind,
  job,
  jobs: { progressOf, reload },
}: {
  readonly kind: ImportKind;
  readonly job: Job;
  readonly jobs: ImportJobs;
}): VNode {
  const { runs, startedAgo, stop, stopOf, stopQuestion, stopImport, names } = words.imports;
  const onStop = async () => {
    await callApi("POST /admin/jobs/{id}/cancel", { path: { id: job.id } });
    await reload();
  };
  return html`<div class="card">
    <div class="row">
      <p>
        <span role="status">${runs}</span> <span class="soft">${startedAgo(formatAgo(job.startedAt))}</span>
      </p>
      <${ConfirmButton}
        text=${stop}
        label=${stopOf(names[kind])}
        title=${stopOf(names[kind])}
        question=${stopQuestion}
        confirm=${stopImport}
        onConfirm=${onStop}
        danger
      />
    </div>
    <${JobProgressBar} progress=${progressOf(job)} />
  </div>`;
}

/** The refusal of the last request, or why its import could not run. */
function OutcomeView({
  outcome,
}: {
  readonly outcome: ImportRequestAnswer | Problem | null;
}): VNode | null {
  if (outcome instanceof Problem) return html`<${ProblemView} problem=${outcome} />`;
  return outcome && "status" in outcome ? html`<${ResultView} ...${outcome} />` : null;
}

const badResults = ["unavailable", "failed", "needsReview"];

/** The status of an import in words, with the reason that the service gives. */
function ResultView({
  status,
  reason,
}: {
  readonly status: string;
  readonly reason: string | null;
}): VNode {
  const kind = badResults.includes(status) ? "notice bad" : "notice good";
  const text = words.imports.results[status as "imported"] ?? status;
  return html`<div class=${kind} role="status">
    <p>${text}</p>
    ${reason && html`<p>${reason}</p>`}
  </div>`;
}

function LastResult({ job: { output, completedAt } }: { readonly job: Job }): VNode | null {
  const { status, reason, overlayProblem } = output ?? {};
  if (typeof status !== "string") return null;
  const text = words.imports.results[status as "imported"] ?? status;
  const notes = [reason, overlayProblem].filter((note) => typeof note === "string");
  return html`<p>
      ${words.imports.lastResult(formatAgo(completedAt))}${" "}
      <strong class=${badResults.includes(status) ? "bad" : ""}>${text}</strong>
    </p>
    ${notes.map((note) => html`<p key=${note} class="soft">${note}</p>`)}`;
}

function StartForm({ kind, run }: { readonly kind: ImportKind; readonly run: RunRequest }): VNode {
  const action = useAction();
  const { start, startOf, force, names } = words.imports;
  const onSend = (values: FormData) => run(() => startImport(kind, values.get("force") === "on"));
  return html`<${Form} action=${action} onSend=${onSend} send=${start} label=${startOf(names[kind])}>
    <${Field} label=${force[kind]} name="force" type="checkbox" />
  <//>`;
}
