import type { Schema } from "../../http/json-schema.ts";
import type { CallDocument } from "../document/calls.ts";
import type { GameDocument } from "../document/document.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html, json, sentence, table } from "./html.ts";

type Game = "uo" | "rust";

/** The anchor of a call. */
export const callAnchor = (game: Game, call: string): string =>
  `${game}-${call.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

const whole = (properties: Readonly<Record<string, Schema>>): Schema => ({
  properties,
  required: Object.keys(properties),
});

const isEmpty = (given: object): boolean => Object.keys(given).length === 0;

/** A part of a call under its name, where the call has it. */
const part = (title: string, shown: Html | null): Html =>
  shown === null
    ? html``
    : html`<p>${title}:</p>
${shown}`;

function factsOf({ isCommand, isOfSidecar, capability, timeoutMs, since }: CallDocument): string {
  return [
    isCommand ? "A command." : "A read.",
    capability === null ? "Needs no capability." : `Capability: \`${capability}\`.`,
    `The site waits ${timeoutMs / 1_000} s.`,
    ...(isOfSidecar ? ["A plugin is not asked."] : []),
    ...(since === undefined ? [] : [`Sidecars of protocol ${since} have it.`]),
  ].join(" ");
}

function callEntry(made: CallDocument, game: Game): Html {
  const { call, about, params, query, body, answer, example, codes } = made;
  const { answer: answered, ...sent } = example;
  const refused = codes.map(({ status, code }) => `${status} \`${code}\``).join(", ");
  return html`<section>
<h3 id="${callAnchor(game, call)}"><code>${call}</code></h3>
<p>${sentence(about)}</p>
<p class="facts">${sentence(factsOf(made))}</p>
${part("Parameters of the path", isEmpty(params) ? null : fieldTable(whole(params)))}
${part("Parameters of the query", isEmpty(query) ? null : fieldTable({ properties: query }))}
${part("Body", body && fieldTable(body))}
${part("Answer", fieldTable(answer))}
<p>Example of what the site sends:</p>
${json({ call, ...sent })}
<p>Example of an answer:</p>
${json(answered)}
<p>Refusals: ${sentence(refused)}.</p>
</section>
`;
}

/** All calls to a game: an overview, then each with its fields, an example and its refusals. */
export function callReference({ calls }: GameDocument, game: Game): Html {
  const rows = calls.map((made) => [
    html`<a href="#${callAnchor(game, made.call)}"><code>${made.call}</code></a>`,
    made.about,
    made.isCommand ? "command" : "read",
    made.capability === null ? "" : `\`${made.capability}\``,
  ]);
  return html`${table(["Call", "What the game does or tells", "Type", "Capability"], rows)}
${calls.map((made) => callEntry(made, game))}`;
}
