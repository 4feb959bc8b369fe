import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { html } from "./html.ts";
import { ProblemView } from "./problem-view.ts";
import type { ActionState } from "./use-action.ts";

type Input = Readonly<Record<string, unknown>>;

/**
 * A labelled field with its hint and its fault.
 * @param name the path of the field in the request body, which a refusal contains
 * @param as the kind of element; an input by default
 */
export function Field({
  label,
  name,
  hint,
  problem,
  fault = faultOf(problem, name),
  as = "input",
  children,
  ...input
}: {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly problem?: Problem | null;
  /** The fault to show; by default, the fault that `problem` reports for the field. */
  readonly fault?: string | undefined;
  readonly as?: "input" | "select" | "textarea";
  readonly children?: ComponentChildren;
} & Input): VNode {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  // The browser heeds `autofocus` only for the first field of a document.
  useEffect(() => {
    if (input["autofocus"]) box.current?.focus();
  }, []);
  const notes = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  const isCheck = input["type"] === "checkbox" || input["type"] === "radio";
  const labelled = html`<label for=${id}>${label}</label>`;
  const control = html`<${as}
    id=${id}
    ref=${box}
    name=${name}
    aria-describedby=${notes || undefined}
    aria-invalid=${fault ? "true" : undefined}
    ...${input}
    >${children}<//
  >`;
  return html`<div class=${isCheck ? "field check" : "field"}>
    ${isCheck ? [control, labelled] : [labelled, control]}
    ${hint && html`<p class="soft hint" id=${`${id}-hint`}>${hint}</p>`}
    ${fault && html`<p class="bad" id=${`${id}-fault`}>${fault}</p>`}
  </div>`;
}

/** Returns the fault of a field. Paths are written with dots, as `roles[0]` or as JSON pointers. */
export const faultOf = (problem: Problem | null | undefined, name: string): string | undefined =>
  problem?.faults.find(({ path }) => toDotted(path) === name)?.message;

/** Returns the fault of a field whose value is a list: the fault of the list, or of one of its entries. */
export const listFaultOf = (
  problem: Problem | null | undefined,
  name: string,
): string | undefined =>
  faultOf(problem, name) ??
  problem?.faults.find(({ path }) => toDotted(path).startsWith(`${name}.`))?.message;

const toDotted = (path: string): string =>
  path
    .replaceAll(/\[(\w+)\]/g, ".$1")
    .replaceAll("/", ".")
    .replace(/^\./, "");

/** A form that sends its values with an action, shows refusals and keeps typed texts. */
export function Form({
  action,
  onSend,
  send,
  label,
  children,
  more,
}: {
  readonly action: ActionState;
  readonly onSend: (values: FormData) => Promise<unknown>;
  readonly send: string;
  readonly label: string;
  readonly children?: ComponentChildren;
  /** Further buttons. */
  readonly more?: ComponentChildren;
}): VNode {
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const isSent = await action.run(() => onSend(new FormData(form)));
    if (!isSent) form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  };
  return html`<form class="form" aria-label=${label} onSubmit=${onSubmit}>
    ${children}
    <${ProblemView} problem=${action.problem} />
    <div class="buttons">
      <button type="submit" class="main" aria-disabled=${action.isRunning}>
        ${action.isRunning ? words.actions.working : send}
      </button>
      ${more}
    </div>
  </form>`;
}

/** Returns the text that a person typed into a field; empty if the form has no such field. */
export function readTextField(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}
