import type { ComponentChildren, VNode } from "preact";

import { setQuery } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { html } from "./html.ts";

/**
 * A form whose values become the query of the address. A selection applies at once, a typed text after Enter or the
 * button. Each change leads to the first page of the list.
 */
export function Filters({
  label,
  children,
}: {
  readonly label: string;
  readonly children?: ComponentChildren;
}): VNode {
  return html`<form class="filters" role="search" aria-label=${label} onSubmit=${onSubmit} onChange=${onChange}>
    ${children}
    <button type="submit">${words.actions.search}</button>
  </form>`;
}

function onSubmit(event: SubmitEvent): void {
  event.preventDefault();
  const values = new FormData(event.currentTarget as HTMLFormElement);
  const given = [...values].map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : "",
  ]);
  setQuery({ ...Object.fromEntries(given), offset: "" });
}

function onChange({ target }: Event): void {
  if (target instanceof HTMLSelectElement) target.form?.requestSubmit();
}

export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** The options of a select. The chosen one is selected when the select is drawn first. */
export const Options = ({
  choices,
  chosen,
}: {
  readonly choices: readonly Choice[];
  readonly chosen: string;
}): VNode =>
  html`${choices.map(
    ({ value, text }) =>
      html`<option key=${value} value=${value} selected=${value === chosen}>${text}</option>`,
  )}`;
