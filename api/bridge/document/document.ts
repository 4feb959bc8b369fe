import { frameDocs } from "../../../shared/platform/bridge/frame-docs.ts";
import { pluginLimits } from "../../../shared/platform/plugin/plugin-limits.ts";
import { shardProtocols } from "../../../shared/shard/calls/account-calls.ts";
import { statesFromSnapshots } from "../../../shared/shard/states/stale.ts";
import { survivalProtocols } from "../../../shared/survival/calls/server-calls.ts";
import { stateFamilies } from "../../../shared/survival/kinds/kind.ts";
import { countedStats } from "../../../shared/survival/kinds/stat-names.ts";
import { zoneFlagNames } from "../../../shared/survival/zones/zone-flags.ts";
import type { Schema } from "../../http/json-schema.ts";
import { type CallDocument, shardCallDocuments, survivalCallDocuments } from "./calls.ts";
import { toPayloadSchema } from "./json-schema.ts";
import { type KindDocument, shardKindDocuments, survivalKindDocuments } from "./kinds.ts";
import {
  pluginCallDocuments,
  type PluginCallDocument,
  type PluginCodeDocument,
  pluginCodeDocuments,
  pluginLimitDocuments,
  buildPluginRefusalSchema,
} from "./plugin-calls.ts";

/** A family of states and the kinds that report it. */
export interface FamilyDocument {
  readonly name: string;
  readonly kinds: readonly string[];
}

export interface GameDocument {
  readonly kinds: readonly KindDocument[];
  /** The families that a resync can request. */
  readonly families: readonly FamilyDocument[];
  readonly calls: readonly CallDocument[];
  /** The allowed values of enumerated fields, by the name of their type. */
  readonly words: Readonly<Record<string, readonly string[]>>;
}

export interface FrameDocument {
  readonly type: string;
  readonly from: "sidecar" | "site";
  readonly about: string;
  readonly schema: Schema;
  readonly example: object;
}

/** The protocols between the site and a game server, for authors of plugins and sidecars. */
export interface BridgeDocument {
  readonly protocols: {
    readonly shard: readonly number[];
    readonly survival: readonly number[];
    readonly plugin: number;
  };
  readonly games: { readonly uo: GameDocument; readonly rust: GameDocument };
  readonly frames: readonly FrameDocument[];
  readonly plugin: {
    readonly calls: readonly PluginCallDocument[];
    readonly refusal: Schema;
    readonly codes: readonly PluginCodeDocument[];
    readonly limits: Readonly<Record<string, number>>;
  };
}

const familiesOf = (
  names: readonly string[],
  kinds: readonly KindDocument[],
): readonly FamilyDocument[] =>
  names.map((name) => ({
    name,
    kinds: kinds
      .filter(({ state, isEvent }) => state === name && !isEvent)
      .map((kind) => kind.name),
  }));

function uo(): GameDocument {
  const kinds = shardKindDocuments();
  return {
    kinds,
    families: familiesOf(statesFromSnapshots, kinds),
    calls: shardCallDocuments(),
    words: {},
  };
}

function rust(): GameDocument {
  const kinds = survivalKindDocuments();
  return {
    kinds,
    families: familiesOf(stateFamilies, kinds),
    calls: survivalCallDocuments(),
    words: {
      "figures of `player.tally`": countedStats,
      "flags of zones": zoneFlagNames,
    },
  };
}

const frames = (): FrameDocument[] =>
  Object.entries(frameDocs).map(([type, { from, about, schema, example }]) => ({
    type,
    from,
    about,
    schema: toPayloadSchema(schema),
    example,
  }));

export const makeBridgeDocument = (): BridgeDocument => ({
  protocols: {
    shard: shardProtocols,
    survival: survivalProtocols,
    plugin: pluginLimits.protocol.max,
  },
  games: { uo: uo(), rust: rust() },
  frames: frames(),
  plugin: {
    calls: pluginCallDocuments(),
    refusal: buildPluginRefusalSchema(),
    codes: pluginCodeDocuments(),
    limits: pluginLimitDocuments(),
  },
});
