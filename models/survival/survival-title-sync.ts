import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn } from "../columns.ts";

/** The titles that a server received last. */
export class SurvivalTitleSync extends Model<
  InferAttributes<SurvivalTitleSync>,
  InferCreationAttributes<SurvivalTitleSync>
> {
  declare serverId: number;
  /** Time of the server's last hello. Titles that were sent before this hello may be lost. */
  declare returnedAt: CreationOptional<Date>;
  declare sentAt: Date | null;
  declare hash: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalTitleSync =>
  class extends SurvivalTitleSync {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      returnedAt: clockTimeColumn(),
      sentAt: optionalColumn(DataTypes.DATE),
      hash: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalTitleServer", tableName: "survival_title_servers" },
  );
