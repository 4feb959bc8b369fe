import type { VNode } from "preact";

import { setQuery } from "../shell/router.ts";
import { words } from "../words/words.ts";
import { Field } from "./form.ts";
import { html } from "./html.ts";
import type { Option } from "./specs.ts";

/** A filter of a list, which is kept in the query of the address. */
export function Filter({
  name,
  label,
  value,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
}): VNode {
  const onChange = (event: Event) =>
    setQuery({ [name]: (event.currentTarget as HTMLSelectElement).value, offset: "" });
  return html`<${Field} as="select" label=${label} name=${name} onChange=${onChange}>
    <option value="" selected=${value === ""}>${words.all}</option>
    ${options.map(
      (one) =>
        html`<option key=${one.value} value=${one.value} selected=${one.value === value}>
          ${one.text}
        </option>`,
    )}
  <//>`;
}
