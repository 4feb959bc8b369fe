import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { setQuery, useLocation } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { Field } from "./form.ts";
import { html } from "./html.ts";
import { type Option, Options } from "./options.ts";

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
  const { query } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current) showQuery(form.current, query);
  }, [query]);
  return html`<form
    ref=${form}
    class="filters"
    role="search"
    aria-label=${label}
    onSubmit=${onSubmit}
    onChange=${onChange}
  >
    ${children}
    <button type="submit">${words.actions.search}</button>
  </form>`;
}

/** Writes the values of the query into the text fields: a link or the button Back may have changed it. */
function showQuery(form: HTMLFormElement, query: URLSearchParams): void {
  for (const field of form.elements) {
    const isText = field instanceof HTMLInputElement && /^(?:text|search)$/.test(field.type);
    if (isText) field.value = query.get(field.name) ?? "";
  }
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

/** A select among the filters. Its first option lists all entries. */
export const Filter = ({
  name,
  label,
  value,
  options,
  all = words.all,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly all?: string;
}): VNode =>
  html`<${Field} as="select" label=${label} name=${name}>
    <${Options} options=${[{ value: "", text: all }, ...options]} chosen=${value} />
  <//>`;
