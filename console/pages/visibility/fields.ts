import type { VNode } from "preact";

import { Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { Options } from "../../parts/options.ts";
import { words } from "../../words/words.ts";

type Audience = keyof typeof words.visibility.audiences;

export const formatAudience = (value: string | boolean): string =>
  words.visibility.audiences[value as Audience] ?? String(value);

export const formatSwitch = (value: string | boolean): string => (value ? words.yes : words.no);

/**
 * Chooses the lowest audience that sees something.
 * @param normal is the audience by default
 */
export function AudienceField({
  label,
  name,
  value,
  normal,
  ladder,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly normal: string;
  readonly ladder: readonly string[];
}): VNode {
  return html`<${Field}
    as="select"
    label=${label}
    name=${name}
    hint=${value === normal ? undefined : words.visibility.normal(formatAudience(normal))}
  >
    <${Options} options=${ladder.map((rung) => ({ value: rung, text: formatAudience(rung) }))} chosen=${value} />
  <//>`;
}
