import type { ComponentChildren, VNode } from "preact";

import { Field } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { type DraftPath, pointerOf, valueAt } from "./draft.ts";
import { type DraftFault, useEditor } from "./editor.ts";
import { parseNumber, textOfValue } from "./values.ts";

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly group?: string;
}

interface Common {
  readonly at: DraftPath;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

/** Returns the messages of the errors at a place or beneath it. */
export const faultMessagesOf = (faults: readonly DraftFault[], pointer: string): string =>
  faults
    .filter(
      ({ level, path }) =>
        level === "error" && (path === pointer || path.startsWith(`${pointer}/`)),
    )
    .map(({ message }) => message)
    .join(" ");

/**
 * A field for a text or a number of the draft.
 * @param read returns the text that the field shows
 * @param write returns the value of a typed text; undefined removes the field from the draft
 */
export function DraftField({
  at,
  label,
  hint,
  read = textOfValue,
  write = (text) => text || undefined,
  ...input
}: Common & {
  readonly read?: (value: unknown) => string;
  readonly write?: (text: string) => unknown;
  readonly as?: "input" | "textarea";
} & Readonly<Record<string, unknown>>): VNode {
  const { editor } = useEditor();
  const pointer = pointerOf(at);
  const onInput = (event: Event) =>
    editor.change(at, write((event.currentTarget as HTMLInputElement).value));
  return html`<${Field}
    label=${label}
    name=${pointer}
    hint=${hint}
    fault=${faultMessagesOf(editor.faults, pointer) || undefined}
    defaultValue=${read(valueAt(editor.draft, at))}
    onInput=${onInput}
    autocomplete="off"
    ...${input}
  />`;
}

/** A field for a number of the draft. */
export const DraftNumber = (props: Common & Readonly<Record<string, unknown>>): VNode =>
  html`<${DraftField}
    inputmode="numeric"
    write=${(text: string) => (text === "" ? undefined : parseNumber(text))}
    ...${props}
  />`;

/** A select for a value of the draft. A value that is not among the options is shown as one more option. */
export function DraftSelect({
  at,
  label,
  hint,
  options,
  standard,
  onChoose,
}: Common & {
  readonly options: readonly Option[];
  /** The text of an additional option that removes the field from the draft. */
  readonly standard?: string | undefined;
  /** Called instead of writing the chosen value to the draft. */
  readonly onChoose?: (value: string) => void;
}): VNode {
  const { editor } = useEditor();
  const pointer = pointerOf(at);
  const value = textOfValue(valueAt(editor.draft, at));
  const isKnown = options.some((option) => option.value === value);
  const choose = onChoose ?? ((next) => editor.change(at, next || undefined));
  const onChange = (event: Event) => choose((event.currentTarget as HTMLSelectElement).value);
  const first = standard ?? (value === "" ? "" : undefined);
  return html`<${Field}
    as="select"
    label=${label}
    name=${pointer}
    hint=${hint}
    fault=${faultMessagesOf(editor.faults, pointer) || undefined}
    onChange=${onChange}
  >
    ${first !== undefined && html`<option value="" selected=${value === ""}>${first}</option>`}
    ${!isKnown && value !== "" && html`<option value=${value} selected>${value}</option>`}
    ${optionsIn(options, value)}
  <//>`;
}

function optionsIn(options: readonly Option[], value: string): readonly VNode[] {
  const draw = (option: Option) =>
    html`<option key=${option.value} value=${option.value} selected=${option.value === value}>
      ${option.text}
    </option>`;
  const groups = Object.groupBy(options, ({ group = "" }) => group);
  return Object.entries(groups).flatMap(([group, inside = []]) =>
    group === ""
      ? inside.map(draw)
      : [html`<optgroup key=${group} label=${group}>${inside.map(draw)}</optgroup>`],
  );
}

/** A checkbox for a boolean of the draft. */
export function DraftCheck({ at, label, hint }: Common): VNode {
  const { editor } = useEditor();
  const pointer = pointerOf(at);
  const onChange = (event: Event) =>
    editor.change(at, (event.currentTarget as HTMLInputElement).checked);
  return html`<${Field}
    type="checkbox"
    label=${label}
    name=${pointer}
    hint=${hint}
    fault=${faultMessagesOf(editor.faults, pointer) || undefined}
    checked=${valueAt(editor.draft, at) === true}
    onChange=${onChange}
  />`;
}

/** A group of fields. It shows the faults of the group itself, and links of faults without a field focus it. */
export function FieldGroup({
  at,
  title,
  children,
}: {
  readonly at: DraftPath;
  readonly title: string;
  readonly children?: ComponentChildren;
}): VNode {
  const { editor } = useEditor();
  const pointer = pointerOf(at);
  const own = editor.faults.filter(({ level, path }) => level === "error" && path === pointer);
  return html`<fieldset class="place" data-place=${pointer} tabindex="-1">
    <legend>${title}</legend>
    ${own.map(({ message }) => html`<p key=${message} class="bad">${message}</p>`)}
    ${children}
  </fieldset>`;
}
