import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof Asset =>
  class extends Asset {}.init(
    {
      key: primaryKeyColumn(DataTypes.TEXT),
      family: requiredColumn(DataTypes.TEXT),
      image: optionalColumn(DataTypes.TEXT),
      inCatalogue: requiredColumn(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "Asset", tableName: "assets" },
  );
