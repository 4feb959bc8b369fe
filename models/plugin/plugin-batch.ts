import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identityColumn, requiredColumn, transactionTimeColumn } from "../columns.ts";

/** A call of a plugin that ingest has not stored yet. The last hello is kept for the next ingest process. */
export class PluginBatch extends Model<
  InferAttributes<PluginBatch>,
  InferCreationAttributes<PluginBatch>
> {
  declare id: CreationOptional<number>;
  declare source: string;
  declare kind: "hello" | "events";
  declare bootId: string;
  declare epoch: string;
  declare events: number;
  declare bytes: number;
  /** Body of the call, unchanged. */
  declare content: string;
  declare receivedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "IngestSource", as: "gameServer", foreignKey: "source", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PluginBatch =>
  class extends PluginBatch {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      source: requiredColumn(DataTypes.TEXT),
      kind: requiredColumn(DataTypes.TEXT),
      bootId: requiredColumn(DataTypes.TEXT),
      epoch: requiredColumn(DataTypes.TEXT),
      events: requiredColumn(DataTypes.INTEGER),
      bytes: requiredColumn(DataTypes.INTEGER),
      content: requiredColumn(DataTypes.TEXT),
      receivedAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "PluginBatch", tableName: "plugin_inbox" },
  );
