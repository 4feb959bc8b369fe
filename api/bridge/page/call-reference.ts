import type { Schema } from "../../http/json-schema.ts";
import type { CallDocument } from "../document/calls.ts";
import type { GameDocument } from "../document/document.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html, renderJson, renderSentence, renderTable } from "./html.ts";

type Game = "uo" | "rust";

export const callAnchor = (game: Game, call: string): string =>
  `${game}-${call.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({
  properties,
  required: Object.keys(properties),
});

const isEmpty = (given: object): boolean => Object.keys(given).length === 0;

/** Renders a section of a call with a title, or nothing if the section is empty. */
const part = (title: string, shown: Html | null): Html =>
  shown === null
    ? html``
    : html`<p>${title}:</p>
${shown}`;

function factsOf({ isCommand, isOfSidecar, capability, timeoutMs, since }: CallDocument): string {
  return [
    isCommand ? "A write." : "A read.",
    capability === null ? "Needs no capability." : `Capability: \`${capability}\`.`,
    `The site waits ${timeoutMs / 1_000} seconds for the answer.`,
    ...(isOfSidecar ? ["The site makes this call only to a sidecar."] : []),
    ...(since === undefined
      ? []
      : [`To a sidecar, the site makes this call only from protocol version ${since} on.`]),
  ].join(" ");
}

function callEntry(made: CallDocument, game: Game): Html {
  const { call, about, params, query, body, answer, example, codes } = made;
  const { answer: answered, ...sent } = example;
  const refused = codes.map(({ status, code }) => `${status} \`${code}\``).join(", ");
  return html`<section>
<h3 id="${callAnchor(game, call)}"><code>${call}</code></h3>
<p>${renderSentence(about)}</p>
<p class="facts">${renderSentence(factsOf(made))}</p>
${part("Path parameters", isEmpty(params) ? null : fieldTable(whole(params)))}
${part("Query parameters", isEmpty(query) ? null : fieldTable({ properties: query }))}
${part("Body", body && fieldTable(body))}
${part("Body of the answer", fieldTable(answer))}
<p>Example of the call:</p>
${renderJson({ call, ...sent })}
<p>Example of the body of an answer:</p>
${renderJson(answered)}
<p>Possible refusals: ${renderSentence(refused)}.</p>
</section>
`;
}

/** Renders all calls to a game: an overview, then each call with its fields, an example and its refusals. */
export function callReference({ calls }: GameDocument, game: Game): Html {
  const rows = calls.map((made) => [
    html`<a href="#${callAnchor(game, made.call)}"><code>${made.call}</code></a>`,
    made.about,
    made.isCommand ? "write" : "read",
    made.capability === null ? "" : `\`${made.capability}\``,
  ]);
  return html`${renderTable(["Call", "What the game does or returns", "Type", "Capability"], rows)}
${calls.map((made) => callEntry(made, game))}`;
}
