import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

/** The last published state of a points board of the shard. */
export class PointsBoard extends Model<
  InferAttributes<PointsBoard>,
  InferCreationAttributes<PointsBoard>
> {
  declare system: string;
  declare state: Record<string, unknown>;
  /** Epoch milliseconds. */
  declare t: number;
  declare updatedAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof PointsBoard =>
  class extends PointsBoard {}.init(
    {
      system: primaryKeyColumn(DataTypes.TEXT),
      state: requiredColumn(DataTypes.JSONB),
      t: requiredColumn(DataTypes.BIGINT),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "PointsBoard", tableName: "points_boards" },
  );
