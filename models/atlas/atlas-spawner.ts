import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

export class AtlasSpawner extends Model<
  InferAttributes<AtlasSpawner>,
  InferCreationAttributes<AtlasSpawner>
> {
  declare generation: number;
  declare id: number;
  declare key: string;
  declare facet: string;
  declare name: string | null;
  declare x: number;
  declare y: number;
  declare z: number;
  declare rect: Readonly<Record<"x1" | "y1" | "x2" | "y2", number>> | null;
  declare homeRange: number;
  declare walkRange: number;
  declare count: number;
  declare minDelaySec: number;
  declare maxDelaySec: number;
  declare running: boolean;
  declare region: string | null;
  /** Text for searches: one line each, in lower case, for its name, its region and its types. */
  declare names: string | null;
}

export const define = (sequelize: Sequelize): typeof AtlasSpawner =>
  class extends AtlasSpawner {}.init(
    {
      generation: key(DataTypes.INTEGER),
      id: key(DataTypes.INTEGER),
      key: required(DataTypes.TEXT),
      facet: required(DataTypes.TEXT),
      name: optional(DataTypes.TEXT),
      x: required(DataTypes.INTEGER),
      y: required(DataTypes.INTEGER),
      z: required(DataTypes.INTEGER),
      rect: optional(DataTypes.JSONB),
      homeRange: required(DataTypes.INTEGER),
      walkRange: required(DataTypes.INTEGER),
      count: required(DataTypes.INTEGER),
      minDelaySec: required(DataTypes.DOUBLE),
      maxDelaySec: required(DataTypes.DOUBLE),
      running: required(DataTypes.BOOLEAN),
      region: optional(DataTypes.TEXT),
      names: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "AtlasSpawner", tableName: "atlas_spawners" },
  );
