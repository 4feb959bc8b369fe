import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn, withDefault } from "../columns.ts";

/** The last hello of a game server's plugin, and the progress of its events. */
export class PluginSession extends Model<
  InferAttributes<PluginSession>,
  InferCreationAttributes<PluginSession>
> {
  declare source: string;
  /** Boot id of the game process whose calls are accepted; null before the first hello. */
  declare bootId: string | null;
  declare epoch: string | null;
  /** The highest `seq` that was received in this epoch. */
  declare seq: CreationOptional<number>;
  /** Key that authenticated the last hello. */
  declare keyId: number | null;
  /** Body of the last hello. */
  declare hello: Record<string, unknown> | null;
  declare helloAt: Date | null;
  /** The plugin counts as connected until this time, which each call extends. */
  declare aliveUntil: Date | null;
  declare heardAt: Date | null;
  /** Id of the open poll, which receives commands. A newer poll ends it. */
  declare waitId: string | null;
  /** Why the last hello was refused; null if it was accepted. */
  declare refusal: string | null;
  /** Former game processes by boot id, each refused until a time in epoch milliseconds. */
  declare formerBoots: CreationOptional<Record<string, number>>;
  /** Time of the last hello whose answer asked the plugin to send states again. */
  declare resyncToldAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "IngestSource", as: "gameServer", foreignKey: "source", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PluginSession =>
  class extends PluginSession {}.init(
    {
      source: primaryKeyColumn(DataTypes.TEXT),
      bootId: optionalColumn(DataTypes.TEXT),
      epoch: optionalColumn(DataTypes.TEXT),
      seq: withDefault(DataTypes.BIGINT, 0),
      keyId: optionalColumn(DataTypes.BIGINT),
      hello: optionalColumn(DataTypes.JSONB),
      helloAt: optionalColumn(DataTypes.DATE),
      aliveUntil: optionalColumn(DataTypes.DATE),
      heardAt: optionalColumn(DataTypes.DATE),
      waitId: optionalColumn(DataTypes.UUID),
      refusal: optionalColumn(DataTypes.TEXT),
      formerBoots: withDefault(DataTypes.JSONB, {}),
      resyncToldAt: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "PluginSession", tableName: "plugin_sessions" },
  );
