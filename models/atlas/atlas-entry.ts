import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof AtlasEntry =>
  class extends AtlasEntry {}.init(
    {
      generation: key(DataTypes.INTEGER),
      spawnerId: key(DataTypes.INTEGER),
      place: key(DataTypes.INTEGER),
      type: required(DataTypes.TEXT),
      typeKey: required(DataTypes.TEXT),
      max: required(DataTypes.INTEGER),
      probability: optional(DataTypes.DOUBLE),
    },
    { sequelize, modelName: "AtlasEntry", tableName: "atlas_entries" },
  );
