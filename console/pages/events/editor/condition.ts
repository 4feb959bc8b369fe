import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import type { ParamType, EventTrigger } from "../types.ts";
import { DraftField, DraftSelect, FieldGroup } from "./draft-field.ts";
import { type DraftPath, textAt, valueAt } from "./draft.ts";
import { useEditor } from "./editor.ts";
import { ListButtons } from "./list-buttons.ts";
import { parseList, parseValue, textOfValue } from "./values.ts";

type Variable = EventTrigger["variables"][number];

/** A condition on a variable of the trigger. */
export function Condition({
  list,
  at,
  trigger,
}: {
  readonly list: DraftPath;
  readonly at: number;
  readonly trigger: EventTrigger;
}): VNode {
  const { editor, catalog } = useEditor();
  const { events } = words;
  const path: DraftPath = [...list, at];
  const name = textAt(editor.draft, [...path, "var"]);
  const op = textAt(editor.draft, [...path, "op"]);
  const variable = trigger.variables.find((one) => one.name === name);
  const variables = trigger.variables.map((one) => ({
    value: one.name,
    text: one.description ? `${one.name} – ${one.description}` : one.name,
  }));
  const operators = catalog.operators.map((value) => ({
    value,
    text: events.operators[value] ?? value,
  }));
  const setOperator = (next: string) => {
    const condition = Object(valueAt(editor.draft, path)) as object;
    const value = valueFor(next, valueAt(editor.draft, [...path, "value"]));
    editor.change(path, { ...condition, op: next, value });
  };
  const setVariable = (next: string) => {
    const condition = Object(valueAt(editor.draft, path)) as { readonly value?: unknown };
    const type = trigger.variables.find((one) => one.name === next)?.type ?? "string";
    editor.change(path, { ...condition, var: next, value: valueOf(type, op, condition.value) });
  };
  return html`<${FieldGroup} at=${path} title=${events.conditionAt(at + 1)}>
    <${DraftSelect}
      at=${[...path, "var"]}
      label=${events.variable}
      options=${variables}
      onChoose=${setVariable}
    />
    <${DraftSelect}
      at=${[...path, "op"]}
      label=${events.operator}
      options=${operators}
      onChoose=${setOperator}
    />
    <${Operand} key=${`${op} ${name}`} at=${[...path, "value"]} op=${op} variable=${variable} />
    <${ListButtons} list=${list} at=${at} name=${events.conditionAt(at + 1)} />
  <//>`;
}

/** Returns the operand after the operator has changed, in the form that the operator takes. */
function valueFor(op: string, value: unknown): unknown {
  if (op === "exists") return true;
  if (op === "in") return Array.isArray(value) ? value : value === "" ? [] : [value];
  if (typeof value === "boolean") return "";
  return Array.isArray(value) ? (value[0] ?? "") : value;
}

/** Returns the operand after the variable has changed, in the type of the new variable. */
function valueOf(type: ParamType, op: string, value: unknown): unknown {
  if (op === "exists") return value;
  const text = textOfValue(value);
  return Array.isArray(value) ? parseList(type, text) : (parseValue(type, text) ?? "");
}

/** The value with which a variable is compared. */
function Operand({
  at,
  op,
  variable,
}: {
  readonly at: DraftPath;
  readonly op: string;
  readonly variable: Variable | undefined;
}): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const type: ParamType = variable?.type ?? "string";
  if (op === "exists" || (type === "boolean" && op !== "in")) {
    const options = [
      { value: "true", text: words.yes },
      { value: "false", text: words.no },
    ];
    const choose = (text: string) => editor.change(at, text === "true");
    return html`<${DraftSelect} at=${at} label=${events.value} options=${options} onChoose=${choose} />`;
  }
  if (op === "in") {
    return html`<${DraftField}
      at=${at}
      label=${events.values}
      hint=${variable?.values ? events.oneOf(variable.values.join(", ")) : events.listHint}
      write=${(text: string) => parseList(type, text)}
    />`;
  }
  if (variable?.values && op !== "contains") {
    const options = variable.values.map((value) => ({ value, text: value }));
    return html`<${DraftSelect} at=${at} label=${events.value} options=${options} />`;
  }
  return html`<${DraftField}
    at=${at}
    label=${events.value}
    read=${textOfValue}
    write=${(text: string) => parseValue(type, text) ?? ""}
  />`;
}
