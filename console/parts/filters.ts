import type { ComponentChildren, VNode } from "preact";

import { setQuery } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { textIn } from "./form.ts";
import { html } from "./html.ts";

/**
 * A form that writes its fields into the query of the address, so that a link leads to the same list.
 * @param names of the fields
 */
export function Filters({
  label,
  names,
  children,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly children?: ComponentChildren;
}): VNode {
  const apply = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const given = names.map((name) => [name, textIn(values, name).trim()] as const);
    setQuery({ ...Object.fromEntries(given), offset: "" });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    apply(event.currentTarget as HTMLFormElement);
  };
  const onChange = (event: Event) => {
    // A chosen entry applies at once; a typed text applies with the button or the key Enter.
    if (event.target instanceof HTMLSelectElement && event.target.form) apply(event.target.form);
  };
  return html`<form class="filters" role="search" aria-label=${label} onSubmit=${onSubmit} onChange=${onChange}>
    ${children}
    <button type="submit">${words.actions.search}</button>
  </form>`;
}
