import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
} from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof SurvivalReportKey =>
  class extends SurvivalReportKey {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      digest: uniqueColumn(requiredColumn(DataTypes.BLOB)),
      createdAt: transactionTimeColumn(),
      createdBy: optionalColumn(DataTypes.INTEGER),
      lastUsedAt: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalReportKey", tableName: "survival_report_keys" },
  );
