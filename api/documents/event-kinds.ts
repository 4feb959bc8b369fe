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
  public: "the feed's audience",
  presence: "the presence audience",
  staff: "staff",
  internal: "nobody: it changes what the site stores",
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
lists every kind of frame that the site understands, with the fields of its payload.

A frame of any other kind is stored for staff and shown to nobody else.

## The shard

The audience of a kind is that of its feature; an administrator can change it
([Settings and visibility](../admin/settings-and-visibility.md)). The table shows the defaults. A gated
field is left out for callers below its audience. The public stream carries a kind only if its feature
is streamed; the admin stream carries every kind.

${markdownTable(
  ["Kind", "Feature", "Audience", "Fields of the payload", "Gated fields"],
  Object.entries<Kind>(kinds).map(shardRow),
)}

## Survival servers

An event happened once and is stored in the feed. A state replaces the state before.

${markdownTable(
  ["Kind", "Is", "Audience", "Fields of the payload"],
  Object.entries<SurvivalKind>(survivalKinds).map(survivalRow),
)}
`;
