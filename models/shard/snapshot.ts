import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A snapshot in progress: its pages are stored until the last one arrives. */
export class Snapshot extends Model<InferAttributes<Snapshot>, InferCreationAttributes<Snapshot>> {
  declare source: string;
  declare family: string;
  declare snapshotId: string;
  declare epoch: string;
  declare pages: number;
  declare count: number;
}

export const define = (sequelize: Sequelize): typeof Snapshot =>
  class extends Snapshot {}.init(
    {
      source: key(DataTypes.TEXT),
      family: key(DataTypes.TEXT),
      snapshotId: required(DataTypes.TEXT),
      epoch: required(DataTypes.TEXT),
      pages: required(DataTypes.INTEGER),
      count: required(DataTypes.INTEGER),
    },
    { sequelize, modelName: "Snapshot", tableName: "snapshots" },
  );
