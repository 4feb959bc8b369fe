import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import type { CatalogAction } from "../types.ts";
import { ActionParams } from "./action-params.ts";
import {
  DraftCheck,
  DraftField,
  DraftNumber,
  DraftSelect,
  faultMessagesOf,
  FieldGroup,
} from "./draft-field.ts";
import { type DraftPath, pointerOf, textAt, valueAt } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { ListButtons } from "./list-buttons.ts";

/** One step of a phase: an action of the catalog with its parameters. */
export function Step({
  phase,
  at,
  step,
}: {
  readonly phase: number;
  readonly at: number;
  readonly step: unknown;
}): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const list: DraftPath = ["spec", "phases", phase, "steps"];
  const path: DraftPath = [...list, at];
  const action = catalog.actions.find(({ id }) => id === textAt(step, ["actionId"]));
  const name = `${events.stepAt(at + 1)}: ${action?.label ?? events.noAction}`;
  // A new step and a step with faults are open. The person opens the others.
  const [isOpen, setOpen] = useState(action === undefined);
  const fault = faultMessagesOf(editor.faults, pointerOf(path));
  useEffect(() => {
    if (fault) setOpen(true);
  }, [fault]);
  const onToggle = (event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open);
  const question = action && action.params.length > 0 ? events.removeQuestion : undefined;
  return html`<details open=${isOpen} class="card" onToggle=${onToggle}>
    <summary>
      ${name} <code>${textAt(step, ["key"])}</code>
      ${fault && html` <span class="bad">${events.hasFault}</span>`}
    </summary>
    <${FieldGroup} at=${path} title=${events.stepAt(at + 1)}>
      <${DraftField}
        at=${[...path, "key"]}
        label=${events.key}
        class="code"
        write=${(text: string) => text}
      />
      <${ActionChoice} path=${path} action=${action} />
      ${action && html`<${ActionParams} key=${action.id} path=${path} phase=${phase} action=${action} />`}
      <${DraftNumber}
        at=${[...path, "offsetSeconds"]}
        label=${events.offset}
        hint=${events.offsetHint}
      />
      <${DraftCheck} at=${[...path, "confirm"]} label=${events.confirmStep} />
      <${Failure} path=${path} action=${action} />
      <${ListButtons} ...${{ list, at, name, question }} />
    <//>
  </details>`;
}

function ActionChoice({
  path,
  action,
}: {
  readonly path: DraftPath;
  readonly action: CatalogAction | undefined;
}): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const options = catalog.actions.map(({ id, label, owner }) => ({
    value: id,
    text: label,
    group: events.owners[owner] ?? owner,
  }));
  // The parameters of an action come back if the person chooses it again.
  const left = useRef(new Map<string, object>());
  const choose = (id: string) => {
    const chosen = catalog.actions.find((one) => one.id === id);
    const given = Object(valueAt(editor.draft, [...path, "params"])) as object;
    // Keep the values of the parameters that the newly chosen action has too.
    const kept = Object.entries(given).filter(([name]) =>
      chosen?.params.some((param) => param.name === name),
    );
    const step = Object(valueAt(editor.draft, path)) as object;
    if (action) left.current.set(action.id, given);
    const params = { ...left.current.get(id), ...Object.fromEntries(kept) };
    editor.change(path, { ...step, actionId: id, params });
  };
  const hint = action && [
    events.risks[action.risk] ?? action.risk,
    action.dimensions.length > 0 ? events.spends(action.dimensions.join(", ")) : "",
  ];
  return html`<${DraftSelect}
    at=${[...path, "actionId"]}
    label=${events.action}
    hint=${hint?.filter(Boolean).join(" ")}
    options=${options}
    onChoose=${choose}
  />`;
}

/** The attempts of a step and what happens after the last one. */
function Failure({
  path,
  action,
}: {
  readonly path: DraftPath;
  readonly action: CatalogAction | undefined;
}): VNode {
  const { catalog } = useEditor();
  const { events } = words;
  const options = catalog.onFailure.map((value) => ({
    value,
    text: events.onFailures[value] ?? value,
  }));
  const standard = action ? catalog.onFailureByRisk[action.risk] : undefined;
  return html`<${DraftSelect}
      at=${[...path, "onFailure"]}
      label=${events.onFailure}
      options=${options}
      standard=${events.standardIs(standard ? (events.onFailures[standard] ?? standard) : "")}
    />
    <${DraftNumber} at=${[...path, "maxAttempts"]} label=${events.maxAttempts} />
    <${DraftNumber}
      at=${[...path, "budgetMs"]}
      label=${events.budgetMs}
      hint=${events.budgetHint(catalog.limits["defaultBudgetMs"] ?? 0)}
    />`;
}
