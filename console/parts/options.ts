import type { VNode } from "preact";

import { html } from "./html.ts";

export interface Option {
  readonly value: string;
  readonly text: string;
  /** The heading above the option, in a field of the kind `choices`. */
  readonly group?: string;
}

/** The options of a select. `chosen` is the value that is selected when the select is drawn first. */
export const Options = ({
  options,
  chosen,
}: {
  readonly options: readonly Option[];
  readonly chosen: string;
}): VNode =>
  html`${options.map(
    ({ value, text }) =>
      html`<option key=${value} value=${value} selected=${value === chosen}>${text}</option>`,
  )}`;

/** Returns one option for each text of an object, in its order. */
export const optionsOf = (texts: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));
