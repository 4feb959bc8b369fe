import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { DraftField, FieldGroup } from "./draft-field.ts";
import { itemKeyOf, newItem, type DraftPath, textAt } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { PhaseGateFields } from "./gate.ts";
import { ListButtons } from "./list-buttons.ts";
import { findFreeKey, phasesOf, stepsOf } from "./names.ts";
import { Step } from "./step.ts";

const list = ["spec", "phases"] as const;

/** The phases of an event, in the order in which a run carries them out. */
export function Phases(): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const phases = phasesOf(editor.draft);
  const add = () => {
    const phase = newItem({ key: findFreeKey([phases], "phase"), title: "", steps: [] });
    editor.change(list, [...phases, phase]);
  };
  return html`<${FieldGroup} at=${list} title=${events.phases}>
    ${phases.map(
      (phase, at) =>
        html`<${Phase} key=${itemKeyOf(phase, at)} at=${at} title=${textAt(phase, ["title"])} />`,
    )}
    <div class="buttons">
      <button type="button" onClick=${add}>${events.addPhase}</button>
      <span class="soft">${events.most(phases.length, catalog.limits["maxPhases"] ?? 0)}</span>
    </div>
  <//>`;
}

function Phase({ at, title }: { readonly at: number; readonly title: string }): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const path: DraftPath = [...list, at];
  const name = events.phaseAt(at + 1, title);
  const phases = phasesOf(editor.draft);
  const steps = stepsOf(phases[at]);
  const add = () => {
    const key = findFreeKey(phases.map(stepsOf), "step");
    const step = newItem({ key, actionId: "", params: {} });
    editor.change([...path, "steps"], [...steps, step]);
  };
  return html`<${FieldGroup} at=${path} title=${name}>
    <${DraftField} at=${[...path, "title"]} label=${events.title} write=${(text: string) => text} />
    <${DraftField}
      at=${[...path, "key"]}
      label=${events.key}
      hint=${events.keyHint}
      class="code"
      write=${(text: string) => text}
    />
    <${FieldGroup} at=${[...path, "steps"]} title=${events.steps}>
      ${steps.length === 0 && html`<p class="soft">${events.noSteps}</p>`}
      ${steps.map(
        (step, index) =>
          html`<${Step} key=${itemKeyOf(step, index)} phase=${at} at=${index} step=${step} />`,
      )}
      <div class="buttons">
        <button type="button" aria-label=${events.addStepTo(name)} onClick=${add}>
          ${events.addStep}
        </button>
      </div>
    <//>
    <${PhaseGateFields} phase=${at} />
    <${ListButtons}
      list=${list}
      at=${at}
      name=${name}
      question=${steps.length > 0 ? events.removeQuestion : undefined}
    />
  <//>`;
}
