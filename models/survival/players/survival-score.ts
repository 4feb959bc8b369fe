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

/** A statistic of a player within one world. */
export class SurvivalScore extends Model<
  InferAttributes<SurvivalScore>,
  InferCreationAttributes<SurvivalScore>
> {
  declare wipeId: number;
  declare stat: string;
  declare steamId: string;
  declare value: number;
  /** When the value was reached. */
  declare reachedAt: CreationOptional<Date>;
  /** True if the player is staff and the server excludes staff from rankings. Triggers set it. */
  declare leftOut: CreationOptional<boolean>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalWipe", as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalScore =>
  class extends SurvivalScore {}.init(
    {
      wipeId: primaryKeyColumn(DataTypes.INTEGER),
      stat: primaryKeyColumn(DataTypes.TEXT),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      value: requiredColumn(DataTypes.BIGINT),
      reachedAt: clockTimeColumn(),
      leftOut: withDefault(DataTypes.BOOLEAN, false),
    },
    { sequelize, modelName: "SurvivalScore", tableName: "survival_scores" },
  );
