import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** An image, identified by the hash of its bytes. */
export class AssetImage extends Model<
  InferAttributes<AssetImage>,
  InferCreationAttributes<AssetImage>
> {
  declare hash: string;
  declare mime: string;
  declare bytes: Buffer;
}

export const defineModel = (sequelize: Sequelize): typeof AssetImage =>
  class extends AssetImage {}.init(
    {
      hash: primaryKeyColumn(DataTypes.TEXT),
      mime: requiredColumn(DataTypes.TEXT),
      bytes: requiredColumn(DataTypes.BLOB),
    },
    { sequelize, modelName: "AssetImage", tableName: "asset_images" },
  );
