import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** What the plugin of a game server said last, and how far its events were received. */
export class PluginSession extends Model<
  InferAttributes<PluginSession>,
  InferCreationAttributes<PluginSession>
> {
  declare source: string;
  /** The run of the game process that may call; null before the first hello. */
  declare bootId: string | null;
  declare epoch: string | null;
  /** The highest `seq` of the epoch that is in the inbox or was read from it. */
  declare seq: CreationOptional<number>;
  /** The key by which the last hello came. */
  declare keyId: number | null;
  /** The body of the last hello. */
  declare hello: Record<string, unknown> | null;
  declare helloAt: Date | null;
  /** Until when the plugin counts as connected unless it calls again. */
  declare aliveUntil: Date | null;
  declare heardAt: Date | null;
  /** The wait that is handed commands; a newer wait ends it. */
  declare waitId: string | null;
  /** Why the last hello was refused; null when it was accepted. */
  declare refusal: string | null;
  /** Former runs of the game process: until when each is refused, in epoch ms, by its boot id. */
  declare formerBoots: CreationOptional<Record<string, number>>;
  /** When a hello's answer last named families to send again. */
  declare resyncToldAt: Date | null;
}

export const ties: readonly Tie[] = [
  { owner: "IngestSource", as: "gameServer", foreignKey: "source", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PluginSession =>
  class extends PluginSession {}.init(
    {
      source: key(DataTypes.TEXT),
      bootId: optional(DataTypes.TEXT),
      epoch: optional(DataTypes.TEXT),
      seq: withDefault(DataTypes.BIGINT, 0),
      keyId: optional(DataTypes.BIGINT),
      hello: optional(DataTypes.JSONB),
      helloAt: optional(DataTypes.DATE),
      aliveUntil: optional(DataTypes.DATE),
      heardAt: optional(DataTypes.DATE),
      waitId: optional(DataTypes.UUID),
      refusal: optional(DataTypes.TEXT),
      formerBoots: withDefault(DataTypes.JSONB, {}),
      resyncToldAt: optional(DataTypes.DATE),
    },
    { sequelize, modelName: "PluginSession", tableName: "plugin_sessions" },
  );
