import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** A snapshot in progress: its pages are stored until the last one arrives. */
export class Snapshot extends Model<InferAttributes<Snapshot>, InferCreationAttributes<Snapshot>> {
  declare source: string;
  declare family: string;
  declare snapshotId: string;
  declare epoch: string;
  declare pages: number;
  declare count: number;
}

export const defineModel = (sequelize: Sequelize): typeof Snapshot =>
  class extends Snapshot {}.init(
    {
      source: primaryKeyColumn(DataTypes.TEXT),
      family: primaryKeyColumn(DataTypes.TEXT),
      snapshotId: requiredColumn(DataTypes.TEXT),
      epoch: requiredColumn(DataTypes.TEXT),
      pages: requiredColumn(DataTypes.INTEGER),
      count: requiredColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "Snapshot", tableName: "snapshots" },
  );
