import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { Field } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { listScopeServers } from "../scope.ts";
import type { Catalog, CatalogAction, CatalogParam } from "../types.ts";
import { DraftField, DraftSelect } from "./draft-field.ts";
import type { DraftPath } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { paramNames, listTriggersBefore } from "./names.ts";
import { parseValue, textOfValue } from "./values.ts";

/** The parameters of a step's action, as the catalog describes them. */
export function ActionParams({
  path,
  phase,
  action,
}: {
  readonly path: DraftPath;
  readonly phase: number;
  readonly action: CatalogAction;
}): VNode {
  const { editor, catalog } = useEditor();
  const triggers = listTriggersBefore(editor.draft, phase);
  const templates = templatesOf(paramNames(editor.draft), triggers, catalog);
  const bodies = catalog.bodies.filter((body) => body.triggers.some((id) => triggers.includes(id)));
  return html`<div class="stack">
    ${action.params.map((param) => {
      const at = [...path, "params", param.name];
      return html`<${ParamField} key=${param.name} at=${at} ...${{ param, templates, bodies }} />`;
    })}
    ${
      action.params.length > 0 &&
      templates.length > 0 &&
      html`<p class="soft">${words.events.templates(templates.join(" "))}</p>`
    }
  </div>`;
}

/** Returns the templates that a step can use: parameters of the run, and variables of earlier gates. */
function templatesOf(
  names: readonly string[],
  triggers: readonly string[],
  catalog: Catalog,
): readonly string[] {
  const variables = catalog.triggers
    .filter(({ id }) => triggers.includes(id))
    .flatMap((trigger) => trigger.variables.map(({ name }) => name));
  return [...new Set([...names, ...variables])]
    .filter((name) => name !== "")
    .map((name) => `{{${name}}}`);
}

interface ParamFieldProps {
  readonly at: DraftPath;
  readonly param: CatalogParam;
  readonly templates: readonly string[];
  readonly bodies: Catalog["bodies"];
}

function ParamField({ at, param, templates, bodies }: ParamFieldProps): VNode {
  const { editor } = useEditor();
  // The field is drawn anew when a ready-made text is chosen.
  const [writes, setWrites] = useState(0);
  const label = labelOf(param);
  const options = useOptions(param);
  if (options) {
    const given = templates.map((value) => ({ value, text: value }));
    return html`<${DraftSelect}
      at=${at}
      label=${label}
      hint=${param.description}
      options=${[...options, ...given]}
      standard=${param.required ? undefined : standardOf(param)}
      onChoose=${(text: string) => editor.change(at, parseValue(param.type, text))}
    />`;
  }
  const isText = param.type === "text" || param.type === "string";
  const insert = (text: string) => {
    editor.change(at, text || undefined);
    setWrites((count) => count + 1);
  };
  return html`<${DraftField}
      key=${`param-${writes}`}
      as=${param.type === "text" ? "textarea" : "input"}
      at=${at}
      label=${label}
      hint=${hintOf(param)}
      write=${(text: string) => parseValue(param.type, text)}
    />
    ${isText && bodies.length > 0 && html`<${Bodies} bodies=${bodies} onChoose=${insert} />`}`;
}

/** Returns the label of a parameter, or its name if the texts of the console contain no label for it. */
function labelOf({ name, required }: CatalogParam): string {
  const { events } = words;
  const labels: Readonly<Record<string, string>> = events.paramLabels;
  const label = labels[name] ?? name;
  return required ? label : events.optional(label);
}

const standardOf = ({ default: standard }: CatalogParam): string =>
  words.events.standardIs(textOfValue(standard));

/** Returns the values to choose from; null for a parameter that takes other values as well. */
function useOptions(param: CatalogParam) {
  const { catalog, scopes } = useEditor();
  if (param.type === "server") return listScopeServers(scopes);
  if (param.type === "boolean") {
    return [
      { value: "true", text: words.yes },
      { value: "false", text: words.no },
    ];
  }
  return (
    param.values?.map((value) => ({
      value,
      text: catalog.audiences.find(({ id }) => id === value)?.label ?? value,
    })) ?? null
  );
}

/** Returns the description of a parameter with its form and its bounds. */
function hintOf({ type, description, min, max, maxLength }: CatalogParam): string {
  const { events } = words;
  const forms: Readonly<Record<string, string>> = events.paramForms;
  return [
    description,
    forms[type] ?? "",
    min !== undefined && max !== undefined ? events.between(min, max) : "",
    maxLength === undefined ? "" : events.atMost(maxLength),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Ready-made texts of the catalog, for the triggers of earlier gates. */
function Bodies({
  bodies,
  onChoose,
}: {
  readonly bodies: Catalog["bodies"];
  readonly onChoose: (text: string) => void;
}): VNode {
  const choose = (event: Event) => {
    const id = (event.currentTarget as HTMLSelectElement).value;
    onChoose(bodies.find((body) => body.id === id)?.text ?? "");
  };
  return html`<${Field} as="select" label=${words.events.readyText} name="body" onChange=${choose}>
    <option value=""></option>
    ${bodies.map(({ id, label }) => html`<option key=${id} value=${id}>${label}</option>`)}
  <//>`;
}
