import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required } from "../columns.ts";

export class ShardEvent extends Model<
  InferAttributes<ShardEvent>,
  InferCreationAttributes<ShardEvent>
> {
  declare id: CreationOptional<number>;
  declare source: string;
  declare epoch: string;
  declare seq: number;
  declare eventKey: string | null;
  declare bootId: string | null;
  declare kind: string;
  /** Epoch milliseconds. */
  declare t: number;
  declare payload: Record<string, unknown>;
  declare reach: "public" | "staff" | "none";
  declare createdAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof ShardEvent =>
  class extends ShardEvent {}.init(
    {
      id: identity(DataTypes.BIGINT),
      source: required(DataTypes.TEXT),
      epoch: required(DataTypes.TEXT),
      seq: required(DataTypes.BIGINT),
      eventKey: optional(DataTypes.TEXT),
      bootId: optional(DataTypes.TEXT),
      kind: required(DataTypes.TEXT),
      t: required(DataTypes.BIGINT),
      payload: required(DataTypes.JSONB),
      reach: required(DataTypes.TEXT),
      createdAt: clockTime(),
    },
    { sequelize, modelName: "ShardEvent", tableName: "shard_events" },
  );
