import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

export class Vendor extends Model<InferAttributes<Vendor>, InferCreationAttributes<Vendor>> {
  declare serial: number;
  /** Fingerprint of the received data; a vendor with an equal fingerprint is not written again. */
  declare fingerprint: string;
  declare listed: boolean;
  declare shopName: string | null;
  declare ownerSerial: number | null;
  declare ownerName: string | null;
  declare placeId: number | null;
  declare map: string | null;
  declare region: string | null;
  declare x: number | null;
  declare y: number | null;
  declare z: number | null;
  declare house: string | null;
  /** Number of stored listings. */
  declare count: number;
  /** Number of listings in the game. */
  declare total: number;
  declare updatedAt: Date;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "Place", as: "place", foreignKey: "placeId", onDelete: "NO ACTION" },
];

export const defineModel = (sequelize: Sequelize): typeof Vendor =>
  class extends Vendor {}.init(
    {
      serial: primaryKeyColumn(DataTypes.INTEGER),
      fingerprint: requiredColumn(DataTypes.UUID),
      listed: requiredColumn(DataTypes.BOOLEAN),
      shopName: optionalColumn(DataTypes.TEXT),
      ownerSerial: optionalColumn(DataTypes.INTEGER),
      ownerName: optionalColumn(DataTypes.TEXT),
      placeId: optionalColumn(DataTypes.INTEGER),
      map: optionalColumn(DataTypes.TEXT),
      region: optionalColumn(DataTypes.TEXT),
      x: optionalColumn(DataTypes.INTEGER),
      y: optionalColumn(DataTypes.INTEGER),
      z: optionalColumn(DataTypes.INTEGER),
      house: optionalColumn(DataTypes.TEXT),
      count: requiredColumn(DataTypes.INTEGER),
      total: requiredColumn(DataTypes.INTEGER),
      updatedAt: requiredColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "Vendor", tableName: "vendors" },
  );
