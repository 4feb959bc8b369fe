import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi, type OperationName } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { ControlDialog, sendUnlessStale } from "./control-dialog.ts";

type Run = AnswerOf<"GET /admin/events/runs/{runId}">["run"];

const controls = ["pause", "resume", "advance", "cancel"] as const;
type Control = (typeof controls)[number];

const statuses: Readonly<Record<Control, readonly Run["status"][]>> = {
  pause: ["running"],
  resume: ["paused"],
  advance: ["running", "paused"],
  cancel: ["scheduled", "running", "paused"],
};

const operationOf = (control: Control): OperationName =>
  `POST /admin/events/runs/{runId}/${control}`;

/** The state of a run in words, for a comparison with a later one. */
const stateText = ({ status, currentPhase, version }: Run): string =>
  words.runs.stateIn(words.runs.statuses[status], currentPhase, version);

/** The buttons that pause, resume, advance and cancel a run. */
export function RunControls({
  run,
  reload,
}: {
  readonly run: Run;
  readonly reload: () => Promise<void>;
}): VNode {
  const { runs } = words;
  const [asked, setAsked] = useState<{ control: Control; seen: Run } | null>(null);
  const close = () => setAsked(null);
  const onSend = async (reason: string) => {
    if (!asked) return;
    if (await sendUnlessStale(() => send(asked.control, run, reason), reload)) close();
  };
  return html`<${Buttons} run=${run} onAsk=${(control: Control) => setAsked({ control, seen: run })} />
    ${
      asked &&
      html`<${ControlDialog}
      key=${asked.control}
      title=${runs.controls[asked.control]}
      question=${runs.questions[asked.control]}
      reasonLabel=${asked.control === "resume" ? null : runs.reason}
      before=${stateText(asked.seen)}
      now=${stateText(run)}
      isPossible=${statuses[asked.control].includes(run.status)}
      onSend=${onSend}
      onClose=${close}
    />`
    }`;
}

function Buttons({
  run,
  onAsk,
}: {
  readonly run: Run;
  readonly onAsk: (control: Control) => void;
}): VNode {
  const may = useAccessCheck();
  const shown = controls.filter(
    (control) => statuses[control].includes(run.status) && may(operationOf(control)),
  );
  return html`<div class="buttons">
    ${shown.map(
      (control) =>
        html`<button
          key=${control}
          type="button"
          class=${control === "cancel" ? "danger" : ""}
          onClick=${() => onAsk(control)}
        >
          ${words.runs.controls[control]}
        </button>`,
    )}
  </div>`;
}

/** Sends a control for the state of the run that the person sees. */
function send(control: Control, run: Run, reason: string): Promise<unknown> {
  const path = { runId: run.id };
  const based = { basedOn: run.revision };
  const body = { ...based, ...(reason && { reason }) };
  switch (control) {
    case "pause":
      return callApi("POST /admin/events/runs/{runId}/pause", { path, body });
    case "resume":
      return callApi("POST /admin/events/runs/{runId}/resume", { path, body: based });
    case "advance":
      return callApi("POST /admin/events/runs/{runId}/advance", { path, body });
    default:
      return callApi("POST /admin/events/runs/{runId}/cancel", { path, body });
  }
}
