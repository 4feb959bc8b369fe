import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { requiredColumn } from "../columns.ts";

export class AtlasRect extends Model<
  InferAttributes<AtlasRect>,
  InferCreationAttributes<AtlasRect>
> {
  declare generation: number;
  declare regionId: number;
  declare x1: number;
  declare y1: number;
  declare z1: number;
  declare x2: number;
  declare y2: number;
  declare z2: number;
}

export function defineModel(sequelize: Sequelize): typeof AtlasRect {
  const model = class extends AtlasRect {}.init(
    {
      generation: requiredColumn(DataTypes.INTEGER),
      regionId: requiredColumn(DataTypes.INTEGER),
      x1: requiredColumn(DataTypes.INTEGER),
      y1: requiredColumn(DataTypes.INTEGER),
      z1: requiredColumn(DataTypes.INTEGER),
      x2: requiredColumn(DataTypes.INTEGER),
      y2: requiredColumn(DataTypes.INTEGER),
      z2: requiredColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "AtlasRect", tableName: "atlas_rects" },
  );
  // Remove Sequelize's default id: the table has no key, because no query reads a single box.
  model.removeAttribute("id");
  return model;
}
