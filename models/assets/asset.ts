import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

export class Asset extends Model<InferAttributes<Asset>, InferCreationAttributes<Asset>> {
  declare key: string;
  declare family: string;
  /** Hash of the asset's image; null until the image is stored. */
  declare image: string | null;
  declare inCatalogue: boolean;
}

export const references: readonly ModelReference[] = [
  {
    owner: "AssetImage",
    as: "picture",
    foreignKey: "image",
    rows: "assets",
    onDelete: "NO ACTION",
  },
];

export const define = (sequelize: Sequelize): typeof Asset =>
  class extends Asset {}.init(
    {
      key: key(DataTypes.TEXT),
      family: required(DataTypes.TEXT),
      image: optional(DataTypes.TEXT),
      inCatalogue: required(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "Asset", tableName: "assets" },
  );
