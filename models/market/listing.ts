import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

export class Listing extends Model<InferAttributes<Listing>, InferCreationAttributes<Listing>> {
  declare vendorSerial: number;
  declare serial: number;
  /** Digest of the received values; a listing with an equal digest is not written again. */
  declare digest: string;
  declare itemId: number;
  declare hue: number;
  declare amount: number;
  declare price: number;
  declare labelId: number;
  declare placeId: number | null;
  declare child: boolean;
  declare updatedAt: Date;
  declare searchName: string | null;
}

export const define = (sequelize: Sequelize): typeof Listing =>
  class extends Listing {}.init(
    {
      vendorSerial: key(DataTypes.INTEGER),
      serial: key(DataTypes.INTEGER),
      digest: required(DataTypes.UUID),
      itemId: required(DataTypes.INTEGER),
      hue: required(DataTypes.INTEGER),
      amount: required(DataTypes.INTEGER),
      price: required(DataTypes.INTEGER),
      labelId: required(DataTypes.INTEGER),
      placeId: optional(DataTypes.INTEGER),
      child: required(DataTypes.BOOLEAN),
      updatedAt: required(DataTypes.DATE),
      searchName: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "Listing", tableName: "listings" },
  );
