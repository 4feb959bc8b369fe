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
export class ShardFact extends Model<
  InferAttributes<ShardFact>,
  InferCreationAttributes<ShardFact>
> {
  declare name: string;
  declare value: unknown;
  /** Epoch milliseconds. */
  declare t: number | null;
  declare updatedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof ShardFact =>
  class extends ShardFact {}.init(
    {
      name: key(DataTypes.TEXT),
      value: required(DataTypes.JSONB),
      t: optional(DataTypes.BIGINT),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "ShardFact", tableName: "shard_facts" },
  );
