import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof Vendor =>
  class extends Vendor {}.init(
    {
      serial: key(DataTypes.INTEGER),
      fingerprint: required(DataTypes.UUID),
      listed: required(DataTypes.BOOLEAN),
      shopName: optional(DataTypes.TEXT),
      ownerSerial: optional(DataTypes.INTEGER),
      ownerName: optional(DataTypes.TEXT),
      placeId: optional(DataTypes.INTEGER),
      map: optional(DataTypes.TEXT),
      region: optional(DataTypes.TEXT),
      x: optional(DataTypes.INTEGER),
      y: optional(DataTypes.INTEGER),
      z: optional(DataTypes.INTEGER),
      house: optional(DataTypes.TEXT),
      count: required(DataTypes.INTEGER),
      total: required(DataTypes.INTEGER),
      updatedAt: required(DataTypes.DATE),
    },
    { sequelize, modelName: "Vendor", tableName: "vendors" },
  );
