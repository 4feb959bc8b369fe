import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { required } from "../columns.ts";

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

export function define(sequelize: Sequelize): typeof AtlasRect {
  const model = class extends AtlasRect {}.init(
    {
      generation: required(DataTypes.INTEGER),
      regionId: required(DataTypes.INTEGER),
      x1: required(DataTypes.INTEGER),
      y1: required(DataTypes.INTEGER),
      z1: required(DataTypes.INTEGER),
      x2: required(DataTypes.INTEGER),
      y2: required(DataTypes.INTEGER),
      z2: required(DataTypes.INTEGER),
    },
    { sequelize, modelName: "AtlasRect", tableName: "atlas_rects" },
  );
  // Remove Sequelize's default id: the table has no key, because no query reads a single box.
  model.removeAttribute("id");
  return model;
}
