import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof AtlasFacet =>
  class extends AtlasFacet {}.init(
    {
      generation: primaryKeyColumn(DataTypes.INTEGER),
      name: primaryKeyColumn(DataTypes.TEXT),
      regions: requiredColumn(DataTypes.INTEGER),
      rects: requiredColumn(DataTypes.INTEGER),
      spawners: requiredColumn(DataTypes.INTEGER),
      entries: requiredColumn(DataTypes.INTEGER),
      total: requiredColumn(DataTypes.BIGINT),
    },
    { sequelize, modelName: "AtlasFacet", tableName: "atlas_facets" },
  );
