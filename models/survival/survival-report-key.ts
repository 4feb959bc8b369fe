import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key, optional, required, transactionTime, unique } from "../columns.ts";

/** The key with which a game server sends the form of a player's report to the site. */
export class SurvivalReportKey extends Model<
  InferAttributes<SurvivalReportKey>,
  InferCreationAttributes<SurvivalReportKey>
> {
  declare serverId: number;
  /** SHA-256 of the key. */
  declare digest: Buffer;
  declare createdAt: CreationOptional<Date>;
  declare createdBy: number | null;
  declare lastUsedAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "creator", foreignKey: "createdBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalReportKey =>
  class extends SurvivalReportKey {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      digest: unique(required(DataTypes.BLOB)),
      createdAt: transactionTime(),
      createdBy: optional(DataTypes.INTEGER),
      lastUsedAt: optional(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalReportKey", tableName: "survival_report_keys" },
  );
