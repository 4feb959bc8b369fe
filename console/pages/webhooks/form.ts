import type { VNode } from "preact";

import type { BodyOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { faultOf, Field } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

export type WebhookStream = BodyOf<"POST /admin/webhooks">["streams"][number];

/** Returns the chosen streams in the order of the list. */
export const readChosenStreams = (values: FormData): WebhookStream[] =>
  values.getAll("streams") as WebhookStream[];

export function UrlField({
  value,
  hint,
  problem,
}: {
  readonly value: string;
  readonly hint: string;
  readonly problem: Problem | null;
}): VNode {
  return html`<${Field}
    label=${words.webhooks.url}
    hint=${hint}
    name="url"
    inputmode="url"
    autocapitalize="none"
    spellcheck=${false}
    defaultValue=${value}
    required
    problem=${problem}
  />`;
}

/** The streams whose events a webhook receives. */
export function StreamFields({
  chosen,
  problem,
}: {
  readonly chosen: readonly string[];
  readonly problem: Problem | null;
}): VNode {
  const fault = faultOf(problem, "streams");
  return html`<fieldset class="stack">
    <legend>${words.webhooks.streams}</legend>
    ${fault && html`<p class="bad">${fault}</p>`}
    <div class="fields">
      ${Object.entries(words.webhooks.streamNames).map(
        ([stream, name]) =>
          html`<${Field}
            key=${stream}
            label=${name}
            name="streams"
            value=${stream}
            type="checkbox"
            defaultChecked=${chosen.includes(stream)}
          />`,
      )}
    </div>
  </fieldset>`;
}
