import type { Kind } from "../../shared/shard/kinds/kind.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { gatesOf } from "../../shared/shard/values/view.ts";
import { features, type FeatureVisibility } from "../../shared/shard/visibility/features.ts";
import type { SurvivalKind } from "../../shared/survival/kinds/kind.ts";
import { survivalKinds } from "../../shared/survival/kinds/kinds.ts";
import { code, codes, markdownTable } from "./table.ts";

const fieldsOf = ({ payload }: Pick<Kind, "payload">): string[] =>
  Object.keys((payload.describe() as { readonly keys?: object }).keys ?? {});

function shardRow([name, kind]: readonly [string, Kind]): readonly string[] {
  if (kind.feature === null) return [code(name), "", "staff", codes(fieldsOf(kind)), ""];
  const { audience, fieldRules }: FeatureVisibility = features[kind.feature];
  const gated = gatesOf(kind.view).filter((gate) => fieldRules[gate] !== audience);
  const rules = gated.map((gate) => `${code(gate)}: ${fieldRules[gate]}`).join(", ");
  return [code(name), kind.feature, audience, codes(fieldsOf(kind)), rules];
}

const audiences: Readonly<Record<SurvivalKind["class"], string>> = {
  public: "everyone",
  presence: "the audience of presence",
  staff: "staff",
  internal: "not shown; updates stored data",
};

const survivalRow = ([name, kind]: readonly [string, SurvivalKind]): readonly string[] => [
  code(name),
  kind.isEvent ? "event" : "state",
  audiences[kind.class],
  codes(fieldsOf(kind)),
];

/** `docs/clients/event-kinds.md`. */
export const eventKindsPage = (): string => `# Event kinds

For people who build clients of the streams and feeds, and for people who link a game server. This page
lists every kind of frame that the site understands, with the fields of its payload. A running site says
at \`/api/docs/bridge\` what each field is, with an example of each kind.

The site stores frames of other kinds too, but shows them to staff only.

## The shard

Each kind has the audience of its feature. The table shows the default audiences; an administrator can
change them ([Settings and visibility](../admin/settings-and-visibility.md)). A gated field has an
audience of its own, and callers below that audience do not receive the field. The public stream
carries a kind only if streaming is on for its feature. The admin stream carries every kind.

${markdownTable(
  ["Kind", "Feature", "Audience", "Fields of the payload", "Gated fields"],
  Object.entries<Kind>(kinds).map(shardRow),
)}

## Survival servers

A frame of the type \`event\` reports something that happened once, and the site stores every such
frame. A frame of the type \`state\` replaces the previous state. Administrators set the audience of
presence ([Survival servers](../admin/survival-servers.md)).

${markdownTable(
  ["Kind", "Type", "Audience", "Fields of the payload"],
  Object.entries<SurvivalKind>(survivalKinds).map(survivalRow),
)}
`;
