import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof PointsBoard =>
  class extends PointsBoard {}.init(
    {
      system: key(DataTypes.TEXT),
      state: required(DataTypes.JSONB),
      t: required(DataTypes.BIGINT),
      updatedAt: clockTime(),
    },
    { sequelize, modelName: "PointsBoard", tableName: "points_boards" },
  );
