import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key, optional, required } from "../columns.ts";

export class Asset extends Model<InferAttributes<Asset>, InferCreationAttributes<Asset>> {
  declare key: string;
  declare family: string;
  /** Hash of the asset's image; null until the image is stored. */
  declare image: string | null;
  declare inCatalogue: boolean;
}

export const associations: readonly ModelAssociation[] = [
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
