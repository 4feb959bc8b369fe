import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { Table } from "../../parts/table.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { textOfValue } from "../events/editor/values.ts";
import { ControlDialog, sendUnlessStale } from "./control-dialog.ts";

type Detail = AnswerOf<"GET /admin/events/runs/{runId}">;
type Step = Detail["steps"][number];

const controls = ["confirm", "skip", "retry"] as const;
type Control = (typeof controls)[number];

/** The controls that a step may allow. The service decides, because it knows why a step waits. */
const isPossible: Readonly<Record<Control, (step: Step) => boolean>> = {
  confirm: ({ parked }) => parked,
  skip: ({ parked, status }) => parked || ["pending", "ready", "failed"].includes(status),
  retry: ({ parked, status, lastError }) => status === "failed" || (parked && lastError !== null),
};

const stepText = (step: Step): string => words.runs.stepState(statusOf(step), step.attempts);

const statusOf = ({ parked, status }: Step): string =>
  parked ? words.runs.parked : words.runs.stepStatuses[status];

/** The steps of a run with their controls. */
export function Steps({
  detail: { run, steps },
  reload,
}: {
  readonly detail: Detail;
  readonly reload: () => Promise<void>;
}): VNode {
  const { runs, events } = words;
  const [asked, setAsked] = useState<{ control: Control; seen: Step } | null>(null);
  const isOpen = run.status === "running" || run.status === "paused";
  const rows = steps.map((step) => ({
    key: step.id,
    cells: [
      `${step.phase} ${step.seq}`,
      html`<code>${step.actionId}</code><br /><span class="soft">${paramsText(step)}</span>`,
      html`<${Status} step=${step} />`,
      formatTime(step.finishedAt ?? step.startedAt ?? step.dueAt),
      isOpen ? html`<${Buttons} step=${step} onAsk=${setAsked} />` : "–",
    ],
  }));
  const heads = [runs.step, events.action, events.state, events.time, runs.control];
  return html`<h2>${runs.steps}</h2>
    <${Table} label=${runs.steps} heads=${heads} rows=${rows} none=${runs.noSteps} />
    ${
      asked &&
      html`<${StepDialog}
      key=${`${asked.control} ${asked.seen.id}`}
      control=${asked.control}
      seen=${asked.seen}
      step=${steps.find(({ id }) => id === asked.seen.id) ?? asked.seen}
      isOpen=${isOpen}
      reload=${reload}
      onClose=${() => setAsked(null)}
    />`
    }`;
}

const paramsText = ({ params }: Step): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}: ${textOfValue(value)}`)
    .join(", ");

function Status({ step }: { readonly step: Step }): VNode {
  const isBad = step.status === "failed";
  return html`<span class=${isBad ? "bad" : step.parked ? "warn" : ""}>${stepText(step)}</span>
    ${step.lastError && html`<br /><span class="soft">${step.lastError}</span>`}`;
}

function Buttons({
  step,
  onAsk,
}: {
  readonly step: Step;
  readonly onAsk: (asked: { control: Control; seen: Step }) => void;
}): VNode {
  const may = useAccessCheck();
  const { runs } = words;
  const shown = controls.filter(
    (control) =>
      isPossible[control](step) && may(`POST /admin/events/runs/{runId}/steps/{stepId}/${control}`),
  );
  return html`<div class="buttons">
    ${shown.map(
      (control) =>
        html`<button
          key=${control}
          type="button"
          aria-label=${runs.controlStep(runs.stepControls[control], `${step.phase} ${step.seq}`)}
          onClick=${() => onAsk({ control, seen: step })}
        >
          ${runs.stepControls[control]}
        </button>`,
    )}
  </div>`;
}

function StepDialog({
  control,
  seen,
  step,
  isOpen,
  reload,
  onClose,
}: {
  readonly control: Control;
  readonly seen: Step;
  readonly step: Step;
  readonly isOpen: boolean;
  readonly reload: () => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { runs } = words;
  const onSend = async (reason: string) => {
    if (await sendUnlessStale(() => send(control, step, reason), reload)) onClose();
  };
  return html`<${ControlDialog}
    title=${runs.controlStep(runs.stepControls[control], `${step.phase} ${step.seq}`)}
    question=${runs.stepQuestions[control]}
    reasonLabel=${control === "retry" ? null : runs.reason}
    before=${stepText(seen)}
    now=${stepText(step)}
    isPossible=${isOpen && isPossible[control](step)}
    onSend=${onSend}
    onClose=${onClose}
  />`;
}

/** Sends a control for the state of the step that the person sees. */
function send(control: Control, step: Step, reason: string): Promise<unknown> {
  const path = { runId: step.runId, stepId: step.id };
  const based = { basedOn: step.revision };
  switch (control) {
    case "confirm": {
      const body = { ...based, ...(reason && { note: reason }) };
      return callApi("POST /admin/events/runs/{runId}/steps/{stepId}/confirm", { path, body });
    }
    case "skip": {
      const body = { ...based, ...(reason && { reason }) };
      return callApi("POST /admin/events/runs/{runId}/steps/{stepId}/skip", { path, body });
    }
    default:
      return callApi("POST /admin/events/runs/{runId}/steps/{stepId}/retry", { path, body: based });
  }
}
