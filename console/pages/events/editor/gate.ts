import type { VNode } from "preact";
import { useRef } from "preact/hooks";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import type { EventTrigger } from "../types.ts";
import { Condition } from "./condition.ts";
import { DraftNumber, DraftSelect, FieldGroup } from "./draft-field.ts";
import { itemKeyOf, listAt, newItem, type DraftPath, textAt, valueAt } from "./draft.ts";
import { useEditor } from "./editor.ts";

/** The gate of a phase: the condition that ends it. */
export function PhaseGateFields({ phase }: { readonly phase: number }): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const path: DraftPath = ["spec", "phases", phase, "advance"];
  const kind = textAt(editor.draft, [...path, "kind"]) || "steps";
  // Keep the fields of each kind of gate, so that they return if the person chooses that kind again.
  const left = useRef(new Map<string, unknown>());
  const choose = (chosen: string) => {
    const next = chosen || "steps";
    left.current.set(kind, valueAt(editor.draft, path));
    editor.change(path, left.current.get(next) ?? { kind: next });
  };
  const kinds = catalog.advanceKinds.map((value) => ({
    value,
    text: events.advanceKinds[value] ?? value,
  }));
  return html`<${FieldGroup} at=${path} title=${events.gate}>
    <${DraftSelect}
      at=${[...path, "kind"]}
      label=${events.phaseEnds}
      options=${kinds}
      standard=${textAt(editor.draft, [...path, "kind"]) ? undefined : events.advanceKinds.steps}
      onChoose=${choose}
    />
    ${kind === "after" && html`<${DraftNumber} at=${[...path, "seconds"]} label=${events.seconds} />`}
    ${kind === "trigger" && html`<${TriggerGate} path=${path} />`}
  <//>`;
}

function TriggerGate({ path }: { readonly path: DraftPath }): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const id = textAt(editor.draft, [...path, "trigger"]);
  const trigger = catalog.triggers.find((one) => one.id === id);
  const options = catalog.triggers.map((one) => ({
    value: one.id,
    text: one.label,
    group: events.owners[one.owner] ?? one.owner,
  }));
  return html`<${DraftSelect}
      at=${[...path, "trigger"]}
      label=${events.trigger}
      hint=${trigger?.description}
      options=${options}
    />
    <${DraftNumber} at=${[...path, "count"]} label=${events.count} hint=${events.countHint} />
    ${trigger && html`<${Conditions} at=${[...path, "where"]} trigger=${trigger} />`}
    <${DraftNumber}
      at=${[...path, "timeoutSeconds"]}
      label=${events.timeout}
      hint=${events.timeoutHint}
    />
    <${DraftSelect}
      at=${[...path, "onTimeout"]}
      label=${events.onTimeout}
      standard=${events.standardIs(events.onTimeouts.pause)}
      options=${Object.entries(events.onTimeouts).map(([value, text]) => ({ value, text }))}
    />`;
}

function Conditions({
  at,
  trigger,
}: {
  readonly at: DraftPath;
  readonly trigger: EventTrigger;
}): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const conditions = listAt(editor.draft, at);
  const add = () => {
    const [variable] = trigger.variables;
    const op = variable?.list ? "contains" : "eq";
    editor.change(at, [...conditions, newItem({ var: variable?.name ?? "", op, value: "" })]);
  };
  return html`<${FieldGroup} at=${at} title=${events.conditions}>
    ${conditions.map(
      (condition, index) =>
        html`<${Condition}
          key=${itemKeyOf(condition, index)}
          list=${at}
          at=${index}
          trigger=${trigger}
        />`,
    )}
    ${
      trigger.variables.length > 0 &&
      html`<div class="buttons">
      <button type="button" onClick=${add}>${events.addCondition}</button>
    </div>`
    }
  <//>`;
}
