import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, identityColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof ShardEvent =>
  class extends ShardEvent {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      source: requiredColumn(DataTypes.TEXT),
      epoch: requiredColumn(DataTypes.TEXT),
      seq: requiredColumn(DataTypes.BIGINT),
      eventKey: optionalColumn(DataTypes.TEXT),
      bootId: optionalColumn(DataTypes.TEXT),
      kind: requiredColumn(DataTypes.TEXT),
      t: requiredColumn(DataTypes.BIGINT),
      payload: requiredColumn(DataTypes.JSONB),
      reach: requiredColumn(DataTypes.TEXT),
      createdAt: clockTimeColumn(),
    },
    { sequelize, modelName: "ShardEvent", tableName: "shard_events" },
  );
