import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, urlOf } from "../../api/call.ts";
import { formatNumber, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useStream } from "../../parts/use-stream.ts";
import type { PageProps } from "../../shell/frame.ts";
import { words } from "../../words/words.ts";
import { textOfValue } from "../events/editor/values.ts";
import { EventLinks } from "../events/links.ts";
import { formatEventScope } from "../events/scope.ts";
import { RunControls } from "./controls.ts";
import { RunStatus } from "./list.ts";
import { RunLog } from "./log.ts";
import { Steps } from "./steps.ts";
import { useThrottledCallback } from "./use-soon.ts";

type Detail = AnswerOf<"GET /admin/events/runs/{runId}">;
type Run = Detail["run"];

/** Without the stream, the page reads the run in this interval. */
const everyMs = 10_000;

const isOf =
  (runId: number, field: "id" | "runId", reload: () => void) =>
  (data: unknown): void => {
    if ((data as Readonly<Record<string, unknown>>)[field] === runId) reload();
  };

/** One run as it changes: its steps, gates, budget, log and controls. */
export function RunPage({ params }: PageProps): VNode {
  const runId = Number(params["id"]);
  const [isLive, setLive] = useState(false);
  const detail = useApiRead(
    "GET /admin/events/runs/{runId}",
    { path: { runId } },
    isLive ? undefined : everyMs,
  );
  const [changes, setChanges] = useState(0);
  const reload = async () => {
    setChanges((count) => count + 1);
    await detail.reload();
  };
  const soon = useThrottledCallback(reload);
  const isConnected = useStream(urlOf("GET /admin/events/stream", {}), {
    "event.run": isOf(runId, "id", soon),
    "event.step": isOf(runId, "runId", soon),
    hello: soon,
    reset: soon,
  });
  if (isConnected !== isLive) setLive(isConnected);
  return html`<h1>${detail.data?.run.definitionTitle ?? words.pages.run}</h1>
    <${EventLinks} />
    <p class=${isConnected ? "good" : "warn"} role="status">
      ${isConnected ? words.runs.isLive : words.runs.isNotLive}
    </p>
    <${ReadStateView} read=${detail}>
      ${(data: Detail) =>
        html`<${RunControls} run=${data.run} reload=${reload} />
          <div class="cards">
            <${Facts} run=${data.run} />
            <${Gates} detail=${data} />
            <${Budget} budget=${data.budget} />
          </div>
          <${Steps} detail=${data} reload=${reload} />
          <${RunLog} runId=${runId} steps=${data.steps} changes=${changes} />`}
    <//>`;
}

function Facts({ run }: { readonly run: Run }): VNode {
  const { runs, events } = words;
  const params = Object.entries(run.params).map(
    ([name, value]) => `${name}: ${textOfValue(value)}`,
  );
  const facts = [
    [events.state, html`<${RunStatus} run=${run} />`],
    [runs.phase, run.currentPhase ?? "–"],
    [runs.version, formatNumber(run.version)],
    [events.scope, formatEventScope(run.scope)],
    [runs.scheduledFor, formatTime(run.scheduledFor)],
    [runs.startedAt, formatTime(run.startedAt)],
    [runs.endedAt, formatTime(run.endedAt)],
    [runs.startedBy, run.startedByUsername ?? "–"],
    [runs.params, params.join(", ") || "–"],
  ] as const;
  return html`<section class="card">
    <h2>${runs.facts}</h2>
    <dl>
      ${facts.map(([name, value]) => [
        html`<dt key=${name}>${name}</dt>`,
        html`<dd key=${`${name}-value`}>${value}</dd>`,
      ])}
    </dl>
    ${run.lastError && html`<p class="bad">${run.lastError}</p>`}
    <p><a href=${`/console/events/${run.definitionId}`}>${runs.openEvent}</a></p>
  </section>`;
}

function Gates({ detail }: { readonly detail: Detail }): VNode {
  const { runs } = words;
  const { gates, run } = detail;
  return html`<section class="card">
    <h2>${runs.gates}</h2>
    ${run.waitingSteps > 0 && html`<p class="warn">${runs.waits(run.waitingSteps)}</p>`}
    ${gates.length === 0 && html`<p class="soft">${runs.noGates}</p>`}
    <ul aria-live="polite">
      ${gates.map((gate) => html`<li key=${gate}>${gate}</li>`)}
    </ul>
  </section>`;
}

function Budget({ budget }: { readonly budget: Detail["budget"] }): VNode {
  const { runs } = words;
  const rows = budget.map(({ dimension, cap, spent, actionId }) => ({
    key: dimension,
    cells: [
      dimension,
      runs.spentOf(formatNumber(spent), formatNumber(cap)),
      html`<meter
        min="0"
        max=${Math.max(cap, 1)}
        value=${spent}
        aria-label=${dimension}
      ></meter>`,
      html`<code>${actionId}</code>`,
    ],
  }));
  const heads = [runs.dimension, runs.spent, runs.share, words.events.action];
  return html`<section class="card">
    <h2>${runs.budget}</h2>
    <${Table} label=${runs.budget} heads=${heads} rows=${rows} none=${runs.noCaps} />
  </section>`;
}
