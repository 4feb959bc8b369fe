import type { VNode } from "preact";

import type { Problem } from "../api/problem.ts";
import { Field, listFaultOf } from "./form.ts";
import { toLocalInput } from "./format.ts";
import { html } from "./html.ts";
import { type Option, Options } from "./options.ts";
import { RowListField } from "./rows.ts";
import { type FieldSpec, valueAt } from "./specs.ts";

export interface SpecFieldsProps {
  readonly specs: readonly FieldSpec[];
  /** The object whose values the fields show at first. */
  readonly stored: object;
  readonly problem: Problem | null;
  /** The path of the object in the body of the request, with a dot at its end. */
  readonly prefix?: string;
}

/** Shows the fields of an object. */
export function SpecFields({ specs, stored, problem, prefix = "" }: SpecFieldsProps): VNode {
  return html`${specs.map((spec) => {
    const name = prefix + spec.name;
    const value = valueAt(stored, spec.name);
    return html`<${SpecField} key=${spec.name} spec=${spec} name=${name} value=${value} problem=${problem} />`;
  })}`;
}

interface OneProps {
  readonly spec: FieldSpec;
  readonly name: string;
  readonly value: unknown;
  readonly problem: Problem | null;
}

function SpecField(props: OneProps): VNode {
  const { spec, name, value, problem } = props;
  if (spec.kind === "rows") {
    return html`<${RowListField}
      spec=${spec}
      name=${name}
      value=${value}
      problem=${problem}
      fields=${SpecFields}
    />`;
  }
  if (spec.kind === "choices") return html`<${Choices} ...${props} />`;
  const { label, hint, input, onChange } = spec;
  const common = { label, name, hint, problem, ...input };
  const onInput = (event: Event) => onChange?.((event.currentTarget as HTMLInputElement).value);
  if (spec.kind === "check") {
    return html`<${Field} ...${common} type="checkbox" defaultChecked=${value === true} />`;
  }
  if (spec.kind === "select") {
    return html`<${Field} ...${common} as="select" onChange=${onInput}>
      <${SelectOptions} spec=${spec} value=${value} />
    <//>`;
  }
  const isList = spec.kind === "lines" || spec.kind === "numbers";
  return html`<${Field}
    ...${controls[spec.kind]}
    ...${common}
    ...${isList && { fault: listFaultOf(problem, name) }}
    defaultValue=${textFor(spec, value)}
    onInput=${onInput}
  />`;
}

const controls = {
  text: { type: "text" },
  area: { as: "textarea" },
  lines: { as: "textarea" },
  numbers: { type: "text" },
  number: { type: "number", step: "any" },
  time: { type: "datetime-local" },
} as const;

function textFor({ kind }: FieldSpec, value: unknown): string {
  if (Array.isArray(value)) return value.join(kind === "lines" ? "\n" : ", ");
  return kind === "time" && typeof value === "string" ? toLocalInput(value) : plainText(value);
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function SelectOptions({
  spec: { options = [], isNullable },
  value,
}: Pick<OneProps, "spec" | "value">): VNode {
  const chosen = plainText(value);
  const shown = [
    ...(isNullable ? [{ value: "", text: "–" }] : []),
    ...withChosen(options, chosen === "" ? [] : [chosen]),
  ];
  return html`<${Options} options=${shown} chosen=${chosen} />`;
}

function Choices({ spec, name, value, problem }: OneProps): VNode {
  const chosen = (Array.isArray(value) ? value : []).map(String);
  const groups = Map.groupBy(withChosen(spec.options ?? [], chosen), ({ group = "" }) => group);
  const fault = listFaultOf(problem, name);
  return html`<fieldset>
    <legend>${spec.label}</legend>
    ${spec.hint && html`<p class="soft hint">${spec.hint}</p>`}
    ${[...groups].map(
      ([group, options]) =>
        html`<div key=${group}>
          ${group !== "" && html`<p class="soft">${group}</p>`}
          <div class="choices">
            ${options.map((option) => html`<${Choice} key=${option.value} name=${name} option=${option} chosen=${chosen} />`)}
          </div>
        </div>`,
    )}
    ${fault && html`<p class="bad">${fault}</p>`}
  </fieldset>`;
}

/** Adds the chosen values that are no options, because a form without them would remove them. */
function withChosen(options: readonly Option[], chosen: readonly string[]): readonly Option[] {
  const known = new Set(options.map(({ value }) => value));
  const unknown = chosen.filter((value) => !known.has(value));
  return [...options, ...unknown.map((value) => ({ value, text: value }))];
}

function Choice({
  name,
  option: { value, text },
  chosen,
}: {
  readonly name: string;
  readonly option: Option;
  readonly chosen: readonly string[];
}): VNode {
  return html`<label>
    <input type="checkbox" name=${name} value=${value} defaultChecked=${chosen.includes(value)} />
    ${" "}${text}
  </label>`;
}
