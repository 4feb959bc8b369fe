import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof Listing =>
  class extends Listing {}.init(
    {
      vendorSerial: primaryKeyColumn(DataTypes.INTEGER),
      serial: primaryKeyColumn(DataTypes.INTEGER),
      digest: requiredColumn(DataTypes.UUID),
      itemId: requiredColumn(DataTypes.INTEGER),
      hue: requiredColumn(DataTypes.INTEGER),
      amount: requiredColumn(DataTypes.INTEGER),
      price: requiredColumn(DataTypes.INTEGER),
      labelId: requiredColumn(DataTypes.INTEGER),
      placeId: optionalColumn(DataTypes.INTEGER),
      child: requiredColumn(DataTypes.BOOLEAN),
      updatedAt: requiredColumn(DataTypes.DATE),
      searchName: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "Listing", tableName: "listings" },
  );
