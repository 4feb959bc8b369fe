import type { ShardKind } from "../../shared/shard/kinds/kind.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import { features, type FeatureVisibility } from "../../shared/shard/visibility/features.ts";
import type { PayloadView } from "../../shared/shard/visibility/view.ts";
import type { SurvivalKind } from "../../shared/survival/kinds/kind.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { formatCode, formatCodes, markdownTable } from "./table.ts";

const fieldsOf = ({ payload }: Pick<ShardKind, "payload">): string[] =>
  Object.keys((payload.describe() as { readonly keys?: object }).keys ?? {});

type GatedField = readonly [field: string, gate: string];

/** Lists the fields of a view that rules can hide, including those in objects and lists. */
const gatedFieldsOf = (view: PayloadView, path = ""): readonly GatedField[] =>
  Object.entries(view).flatMap(([name, { gate, fields = {} }]): readonly GatedField[] => {
    const inner = gatedFieldsOf(fields, `${path}${name}.`);
    return gate === undefined ? inner : [[`${path}${name}`, gate], ...inner];
  });

function shardRow([name, kind]: readonly [string, ShardKind]): readonly string[] {
  const sent = formatCodes(fieldsOf(kind));
  if (kind.feature === null) return [formatCode(name), "", "administrators", sent, "", ""];
  const { audience, fieldRules }: FeatureVisibility = features[kind.feature];
  const gated = gatedFieldsOf(kind.view).filter(([, gate]) => fieldRules[gate] !== audience);
  const rules = gated
    .map(([field, gate]) => `${formatCode(field)}: ${fieldRules[gate]}`)
    .join(", ");
  return [
    formatCode(name),
    kind.feature,
    audience,
    sent,
    formatCodes(Object.keys(kind.view)),
    rules,
  ];
}

const audiences: Readonly<Record<SurvivalKind["class"], string>> = {
  public: "everyone",
  presence: "the audience `presence`",
  staff: "administrators, moderators",
  internal: "administrators, moderators",
};

const survivalRow = ([name, kind]: readonly [string, SurvivalKind]): readonly string[] => [
  formatCode(name),
  kind.isEvent ? "event" : "state",
  kind.isEvent ? audiences[kind.class] : "",
  formatCodes(fieldsOf(kind)),
];

/** Returns the text of `docs/clients/event-kinds.md`. */
export const eventKindsPage = (): string => `# Event kinds

For people who write clients of event streams and feeds, and for people who link a game server. By
the end of this page, you know which kinds of events there are, which fields a game server sends
with each kind, and who may see these fields.

The API description at \`/api/docs\` contains a schema for each kind. A running site explains each
field at \`/api/docs/bridge\`, with an example of each kind. The site also stores events of
kinds that this page does not list, but no public route returns them.

## The shard

Each public kind belongs to a feature and has the audience of this feature. The table shows the
default audiences; administrators can change them
([Settings and visibility](../admin/settings-and-visibility.md)). The column "Sent fields" lists the
fields of the payload that the shard sends.

- The stream \`GET /api/v1/public/shard/stream\` contains a kind only if streaming is on for its
  feature. Its payloads have only the public fields. Callers below the audience of a single field do
  not receive this field.
- The stream \`GET /api/v1/admin/shardlink/stream\` contains every kind with all sent fields. Only
  administrators can open it.
- \`presence.login\` and \`presence.logout\` are public only for characters of linked game accounts.
- \`house.decay\` and \`house.removed\` are public only for houses at the stage \`IDOC\`.
- \`world.broadcast\` is public only if \`access\` is \`Player\`.

${markdownTable(
  ["Kind", "Feature", "Audience", "Sent fields", "Public fields", "Audience of single fields"],
  Object.entries<ShardKind>(kinds).map(shardRow),
)}

## Survival servers

The site stores each frame of the type \`event\` as an event. The column "Audience" states who can
read the events of a kind. Public routes return them only in the
[feed](survival.md#who-is-online-and-what-happened), without some of their fields. Administrators set
the audience \`presence\` ([Survival servers](../admin/survival-servers.md)). Administrators and
moderators read all stored events with \`GET /api/v1/admin/survival/servers/:id/events\`. A frame of
the type \`state\` is not an event: it only updates the data that the site stores about the server.

${markdownTable(
  ["Kind", "Type", "Audience", "Sent fields"],
  Object.entries<SurvivalKind>(survivalFrameKinds).map(survivalRow),
)}
`;
