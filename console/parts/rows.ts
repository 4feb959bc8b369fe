import type { ComponentType, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { faultOf } from "./form.ts";
import { html } from "./html.ts";
import type { FieldSpec } from "./specs.ts";

/** The properties of the component that shows the fields of a row. */
export interface RowFieldsProps {
  readonly specs: readonly FieldSpec[];
  readonly stored: object;
  readonly problem: Problem | null;
  readonly prefix: string;
}

interface RowState {
  readonly id: number;
  readonly stored: object;
}

/** A list of objects in a form: rows can be added, removed and moved. */
export function RowListField({
  spec: { label, hint, of = [], fresh = {} },
  name,
  value,
  problem,
  fields: Fields,
}: {
  readonly spec: FieldSpec;
  readonly name: string;
  readonly value: unknown;
  readonly problem: Problem | null;
  readonly fields: ComponentType<RowFieldsProps>;
}): VNode {
  const [rows, setRows] = useState<readonly RowState[]>(() =>
    (Array.isArray(value) ? value : []).map((stored: object, id) => ({ id, stored })),
  );
  const [nextId, setNextId] = useState(rows.length);
  const change = (event: Event, changed: readonly RowState[]) => {
    // Dispatch the event before the row is removed: the event of a removed row would not reach the form.
    event.currentTarget?.dispatchEvent(new Event("input", { bubbles: true }));
    setRows(changed);
  };
  const add = (event: Event) => {
    change(event, [...rows, { id: nextId, stored: fresh }]);
    setNextId(nextId + 1);
  };
  const fault = faultOf(problem, name);
  return html`<fieldset>
    <legend>${label}</legend>
    ${hint && html`<p class="soft hint">${hint}</p>`}
    ${rows.map(
      (row, at) =>
        html`<div key=${row.id} class="card stack" role="group" aria-label=${`${label} ${at + 1}`}>
          <${Fields} specs=${of} stored=${row.stored} problem=${problem} prefix=${`${name}.${at}.`} />
          <${RowButtons} at=${at} rows=${rows} onChange=${change} />
        </div>`,
    )}
    ${fault && html`<p class="bad">${fault}</p>`}
    <p><button type="button" onClick=${add}>${words.rows.add}</button></p>
  </fieldset>`;
}

function RowButtons({
  at,
  rows,
  onChange,
}: {
  readonly at: number;
  readonly rows: readonly RowState[];
  readonly onChange: (event: Event, rows: readonly RowState[]) => void;
}): VNode {
  const without = rows.toSpliced(at, 1);
  const row = rows[at];
  const moveTo = (to: number) => (event: Event) =>
    row && onChange(event, without.toSpliced(to, 0, row));
  return html`<div class="buttons">
    ${at > 0 && html`<button type="button" onClick=${moveTo(at - 1)}>${words.rows.up}</button>`}
    ${
      at < rows.length - 1 &&
      html`<button type="button" onClick=${moveTo(at + 1)}>${words.rows.down}</button>`
    }
    <button type="button" onClick=${(event: Event) => onChange(event, without)}>
      ${words.rows.remove}
    </button>
  </div>`;
}
