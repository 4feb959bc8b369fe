import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof ShardValue =>
  class extends ShardValue {}.init(
    {
      name: key(DataTypes.TEXT),
      value: required(DataTypes.JSONB),
      t: optional(DataTypes.BIGINT),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "ShardFact", tableName: "shard_facts" },
  );
