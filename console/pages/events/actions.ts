import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { FormDialogButton } from "../../parts/ask-form.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import { EventLinks } from "./links.ts";

type Switchboard = AnswerOf<"GET /admin/events/actions">;
type SwitchedAction = Switchboard["actions"][number];

/** The switches and the caps of the actions that events can run. */
export function EventActions(): VNode {
  const { events } = words;
  const read = useApiRead("GET /admin/events/actions", {});
  const heads = [
    events.action,
    events.risk,
    events.switch,
    events.caps,
    events.changed,
    events.change,
  ];
  return html`<h1>${words.pages.eventActions}</h1>
    <${EventLinks} />
    <p class="soft">${events.actionsHint}</p>
    <${ReadStateView} read=${read}>
      ${({ actions }: Switchboard) =>
        html`<${Table}
          label=${words.pages.eventActions}
          heads=${heads}
          rows=${actions.map((one) => ({ key: one.id, cells: cellsOf(one, read.reload) }))}
          none=${words.none}
        />`}
    <//>`;
}

function cellsOf(one: SwitchedAction, reload: () => Promise<void>) {
  const { events } = words;
  const caps = one.dimensions.map((dimension) =>
    events.cap(dimension, one.caps[dimension] ?? null),
  );
  return [
    html`${one.label}<br /><code>${one.id}</code>`,
    html`<span class=${one.changesWorld ? "warn" : ""}>${events.riskNames[one.risk]}</span>`,
    html`<span class=${one.enabled ? "good" : "soft"}>${one.enabled ? events.isOn : events.isOff}</span>`,
    caps.join(" · ") || "–",
    formatTime(one.updatedAt),
    html`<${ChangeAction} one=${one} reload=${reload} />`,
  ];
}

function ChangeAction({
  one,
  reload,
}: {
  readonly one: SwitchedAction;
  readonly reload: () => Promise<void>;
}): VNode {
  const { events } = words;
  const save = async (values: FormData) => {
    const caps = Object.fromEntries(
      one.dimensions.map((dimension): [string, number | ""] => {
        const text = readTextField(values, `caps.${dimension}`);
        return [dimension, text === "" ? "" : Number(text)];
      }),
    );
    await callApi("PUT /admin/events/actions", {
      body: { actionId: one.id, enabled: values.has("enabled"), caps },
    });
    await reload();
  };
  return html`<${FormDialogButton}
    text=${events.change}
    title=${events.changeNamed(one.label)}
    question=${one.changesWorld ? events.worldQuestion : undefined}
    confirm=${words.actions.save}
    onConfirm=${save}
  >
    ${(problem: Problem | null) => html`<${Fields} one=${one} problem=${problem} />`}
  <//>`;
}

function Fields({
  one,
  problem,
}: {
  readonly one: SwitchedAction;
  readonly problem: Problem | null;
}): VNode {
  const { events } = words;
  return html`<${Field}
          type="checkbox"
          label=${events.enabled}
          name="enabled"
          hint=${events.enabledHint}
          defaultChecked=${one.enabled}
          problem=${problem}
        />
        ${one.dimensions.map(
          (dimension) =>
            html`<${Field}
              key=${dimension}
              type="number"
              min="0"
              label=${events.capOf(dimension)}
              name=${`caps.${dimension}`}
              hint=${events.capHint}
              defaultValue=${one.caps[dimension] === undefined ? "" : String(one.caps[dimension])}
              problem=${problem}
            />`,
        )}`;
}
