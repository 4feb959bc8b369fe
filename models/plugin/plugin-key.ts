import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

/** A key with which the plugin of one game server calls the site. An ended key is kept for 30 days. */
export class PluginKey extends Model<
  InferAttributes<PluginKey>,
  InferCreationAttributes<PluginKey>
> {
  declare id: CreationOptional<number>;
  /** Game server, as named in `ingest_sources`. */
  declare source: string;
  /** SHA-256 of the key. */
  declare digest: Buffer;
  declare createdAt: CreationOptional<Date>;
  declare createdBy: number | null;
  declare firstUsedAt: Date | null;
  declare lastUsedAt: Date | null;
  /** When the key expires, because a newer key replaces it; null while there is no newer key. */
  declare expiresAt: Date | null;
  declare endedAt: Date | null;
  /** Calls in progress by id, each with the time in epoch milliseconds at which it counts as ended. */
  declare calls: CreationOptional<Record<string, number>>;
  /** Start of the second in which calls are counted. */
  declare secondBeganAt: Date | null;
  declare secondCalls: CreationOptional<number>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "creator", foreignKey: "createdBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof PluginKey =>
  class extends PluginKey {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      source: requiredColumn(DataTypes.TEXT),
      digest: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      createdAt: transactionTimeColumn(),
      createdBy: optionalColumn(DataTypes.INTEGER),
      firstUsedAt: optionalColumn(DataTypes.DATE),
      lastUsedAt: optionalColumn(DataTypes.DATE),
      expiresAt: optionalColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
      calls: withDefault(DataTypes.JSONB, {}),
      secondBeganAt: optionalColumn(DataTypes.DATE),
      secondCalls: withDefault(DataTypes.INTEGER, 0),
    },
    { sequelize, modelName: "PluginKey", tableName: "plugin_keys" },
  );
