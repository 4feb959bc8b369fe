import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof AtlasSpawner =>
  class extends AtlasSpawner {}.init(
    {
      generation: primaryKeyColumn(DataTypes.INTEGER),
      id: primaryKeyColumn(DataTypes.INTEGER),
      key: requiredColumn(DataTypes.TEXT),
      facet: requiredColumn(DataTypes.TEXT),
      name: optionalColumn(DataTypes.TEXT),
      x: requiredColumn(DataTypes.INTEGER),
      y: requiredColumn(DataTypes.INTEGER),
      z: requiredColumn(DataTypes.INTEGER),
      rect: optionalColumn(DataTypes.JSONB),
      homeRange: requiredColumn(DataTypes.INTEGER),
      walkRange: requiredColumn(DataTypes.INTEGER),
      count: requiredColumn(DataTypes.INTEGER),
      minDelaySec: requiredColumn(DataTypes.DOUBLE),
      maxDelaySec: requiredColumn(DataTypes.DOUBLE),
      running: requiredColumn(DataTypes.BOOLEAN),
      region: optionalColumn(DataTypes.TEXT),
      names: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "AtlasSpawner", tableName: "atlas_spawners" },
  );
