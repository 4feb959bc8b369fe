import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { clockTimeColumn, primaryKeyColumn, requiredColumn, withDefault } from "../../columns.ts";

/** A player who has statistics in one world. */
export class SurvivalTally extends Model<
  InferAttributes<SurvivalTally>,
  InferCreationAttributes<SurvivalTally>
> {
  declare wipeId: number;
  declare steamId: string;
  declare name: string;
  declare isStaff: CreationOptional<boolean>;
  declare updatedAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalWipe", as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalTally =>
  class extends SurvivalTally {}.init(
    {
      wipeId: primaryKeyColumn(DataTypes.INTEGER),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      isStaff: withDefault(DataTypes.BOOLEAN, false),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "SurvivalTally", tableName: "survival_tallies" },
  );
