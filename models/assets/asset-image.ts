import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** An image, identified by the hash of its bytes. */
export class AssetImage extends Model<
  InferAttributes<AssetImage>,
  InferCreationAttributes<AssetImage>
> {
  declare hash: string;
  declare mime: string;
  declare bytes: Buffer;
}

export const define = (sequelize: Sequelize): typeof AssetImage =>
  class extends AssetImage {}.init(
    {
      hash: key(DataTypes.TEXT),
      mime: required(DataTypes.TEXT),
      bytes: required(DataTypes.BLOB),
    },
    { sequelize, modelName: "AssetImage", tableName: "asset_images" },
  );
