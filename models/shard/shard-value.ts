import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

/** A single state of the shard, such as the economy, the ruleset or the server. */
export class ShardValue extends Model<
  InferAttributes<ShardValue>,
  InferCreationAttributes<ShardValue>
> {
  declare name: string;
  declare value: unknown;
  /** Epoch milliseconds. */
  declare t: number | null;
  declare updatedAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof ShardValue =>
  class extends ShardValue {}.init(
    {
      name: primaryKeyColumn(DataTypes.TEXT),
      value: requiredColumn(DataTypes.JSONB),
      t: optionalColumn(DataTypes.BIGINT),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "ShardFact", tableName: "shard_facts" },
  );
