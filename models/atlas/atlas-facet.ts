import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A facet of one generation of the atlas, with its counts. */
export class AtlasFacet extends Model<
  InferAttributes<AtlasFacet>,
  InferCreationAttributes<AtlasFacet>
> {
  declare generation: number;
  declare name: string;
  declare regions: number;
  declare rects: number;
  declare spawners: number;
  declare entries: number;
  declare total: number;
}

export const define = (sequelize: Sequelize): typeof AtlasFacet =>
  class extends AtlasFacet {}.init(
    {
      generation: key(DataTypes.INTEGER),
      name: key(DataTypes.TEXT),
      regions: required(DataTypes.INTEGER),
      rects: required(DataTypes.INTEGER),
      spawners: required(DataTypes.INTEGER),
      entries: required(DataTypes.INTEGER),
      total: required(DataTypes.BIGINT),
    },
    { sequelize, modelName: "AtlasFacet", tableName: "atlas_facets" },
  );
