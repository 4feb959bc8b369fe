import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

/** A type of creature or item that a spawner creates. */
export class AtlasEntry extends Model<
  InferAttributes<AtlasEntry>,
  InferCreationAttributes<AtlasEntry>
> {
  declare generation: number;
  declare spawnerId: number;
  declare place: number;
  declare type: string;
  declare typeKey: string;
  declare max: number;
  declare probability: number | null;
}

export const defineModel = (sequelize: Sequelize): typeof AtlasEntry =>
  class extends AtlasEntry {}.init(
    {
      generation: primaryKeyColumn(DataTypes.INTEGER),
      spawnerId: primaryKeyColumn(DataTypes.INTEGER),
      place: primaryKeyColumn(DataTypes.INTEGER),
      type: requiredColumn(DataTypes.TEXT),
      typeKey: requiredColumn(DataTypes.TEXT),
      max: requiredColumn(DataTypes.INTEGER),
      probability: optionalColumn(DataTypes.DOUBLE),
    },
    { sequelize, modelName: "AtlasEntry", tableName: "atlas_entries" },
  );
