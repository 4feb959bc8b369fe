import type { GameDocument } from "../document/document.ts";
import type { KindDocument } from "../document/kinds.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html, renderJson, renderSentence, renderTable } from "./html.ts";

type Game = "uo" | "rust";

export const kindAnchor = (game: Game, name: string): string => `${game}-${name}`;

const effects: Readonly<Record<string, string>> = {
  upsert: "replaces stored data of",
  merge: "changes stored data of",
  remove: "deletes stored data of",
  begin: "begins a snapshot of",
  page: "is a page of a snapshot of",
  end: "ends a snapshot of",
};

const stateOf = ({ state, does = "" }: KindDocument): string =>
  state === undefined ? "" : `${effects[does] ?? does} \`${state}\``;

const natureOf = ({ isEvent }: KindDocument): string => (isEvent ? "event" : "state");

function audienceOf({ audience, gatedFields }: KindDocument): string {
  const others = Object.entries(gatedFields).filter(([, rung]) => rung !== audience);
  return [audience, ...others.map(([field, rung]) => `\`${field}\`: ${rung}`)].join(", ");
}

function kindEntry(kind: KindDocument, game: Game): Html {
  const { name, about, capability, feature } = kind;
  const facts = [
    `Type: ${natureOf(kind)}${kind.state === undefined ? "" : `; ${stateOf(kind)}`}.`,
    `Seen by: ${audienceOf(kind)}${feature === undefined ? "" : ` (feature \`${feature}\`)`}.`,
    ...(capability === undefined ? [] : [`Capability: \`${capability}\`.`]),
  ];
  return html`<section>
<h3 id="${kindAnchor(game, name)}"><code>${name}</code></h3>
<p>${renderSentence(about)}</p>
<p class="facts">${renderSentence(facts.join(" "))}</p>
${fieldTable(kind.schema)}
<p>Example of a payload:</p>
${renderJson(kind.example)}
</section>
`;
}

/** Renders all kinds of a game: an overview, then each kind with its fields and an example. */
export function kindReference({ kinds }: GameDocument, game: Game): Html {
  const rows = kinds.map((kind) => [
    html`<a href="#${kindAnchor(game, kind.name)}"><code>${kind.name}</code></a>`,
    kind.about,
    `${natureOf(kind)}${kind.state === undefined ? "" : `: ${stateOf(kind)}`}`,
    audienceOf(kind),
  ]);
  return html`${renderTable(["Kind", "What it reports", "Type", "Seen by"], rows)}
${kinds.map((kind) => kindEntry(kind, game))}`;
}
