import type { VNode } from "preact";

import { html } from "./html.ts";

/** The entries of a select, as pairs of a value and a text. `chosen` is the value that is chosen at first. */
export const options = (
  entries: readonly (readonly [value: string, text: string])[],
  chosen: string,
): readonly VNode[] =>
  entries.map(
    ([value, text]) =>
      html`<option key=${value} value=${value} selected=${value === chosen}>${text}</option>`,
  );

/** Returns the entries of an object with texts, in its order. */
export const entriesOf = <Key extends string>(
  texts: Readonly<Record<Key, string>>,
): readonly (readonly [Key, string])[] => Object.entries(texts) as [Key, string][];
