import type { ShardKind } from "../../../shared/shard/kinds/kind.ts";
import { kinds } from "../../../shared/shard/kinds/kinds.ts";
import { features, type FeatureVisibility } from "../../../shared/shard/visibility/features.ts";
import { listViewGates } from "../../../shared/shard/visibility/view.ts";
import type { SurvivalKind } from "../../../shared/survival/kinds/kind.ts";
import { survivalFrameKinds } from "../../../shared/survival/kinds/kinds.ts";
import type { Schema } from "../../http/json-schema.ts";
import { toPayloadSchema } from "./json-schema.ts";

/** One kind of event, for the documentation. */
export interface KindDocument {
  readonly name: string;
  readonly about: string;
  /** True if the kind reports an occurrence, false if it reports a state. */
  readonly isEvent: boolean;
  /** The state, or family of states, that the kind changes. */
  readonly state?: string;
  /** The effect on the state: the kind replaces, changes or removes it, or belongs to a snapshot. */
  readonly does?: string;
  readonly feature?: string;
  readonly class?: string;
  /** The default audience of the kind. */
  readonly audience: string;
  /** Fields with their own default audience. */
  readonly gatedFields: Readonly<Record<string, string>>;
  readonly capability?: string;
  readonly schema: Schema;
  readonly example: object;
}

/**
 * Values of `does` for kinds that report a whole state or part of a snapshot. All other kinds report an
 * occurrence.
 */
const wholes: readonly string[] = ["upsert", "begin", "page", "end"];

function shardKind([name, kind]: readonly [string, ShardKind]): KindDocument {
  const { about, feature, feeds, view, payload, example } = kind;
  const visibility: FeatureVisibility | null = feature && features[feature];
  const gates = visibility ? listViewGates(view) : [];
  return {
    name,
    about,
    isEvent: !wholes.includes(feeds?.as ?? ""),
    ...(feeds && { state: feeds.state, does: feeds.as }),
    ...(feature && { feature }),
    audience: visibility?.audience ?? "admin",
    gatedFields: Object.fromEntries(
      gates.map((gate) => [gate, visibility?.fieldRules[gate] ?? "staff"]),
    ),
    schema: toPayloadSchema(payload),
    example,
  };
}

const staff = "administrators and moderators";

const audiences: Readonly<Record<SurvivalKind["class"], string>> = {
  public: "everyone",
  presence: "the audience presence",
  staff,
  internal: staff,
};

const survivalKind = ([name, kind]: readonly [string, SurvivalKind]): KindDocument => ({
  name,
  about: kind.about,
  isEvent: kind.isEvent,
  ...(kind.family && { state: kind.family, does: "upsert" }),
  class: kind.class,
  audience: kind.isEvent ? audiences[kind.class] : "nobody: the site stores no event of it",
  gatedFields: {},
  ...(kind.capability && { capability: kind.capability }),
  schema: toPayloadSchema(kind.payload),
  example: kind.example,
});

export const shardKindDocuments = (): KindDocument[] =>
  Object.entries<ShardKind>(kinds).map(shardKind);

export const survivalKindDocuments = (): KindDocument[] =>
  Object.entries<SurvivalKind>(survivalFrameKinds).map(survivalKind);
