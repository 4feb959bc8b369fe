import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

/** A figure of a player within one world. */
export class SurvivalScore extends Model<
  InferAttributes<SurvivalScore>,
  InferCreationAttributes<SurvivalScore>
> {
  declare wipeId: number;
  declare stat: string;
  declare steamId: string;
  declare value: number;
  /** When it came to that value. */
  declare reachedAt: CreationOptional<Date>;
}

export const defineSurvivalScore = (sequelize: Sequelize): typeof SurvivalScore =>
  class extends SurvivalScore {}.init(
    {
      wipeId: key(DataTypes.INTEGER),
      stat: key(DataTypes.TEXT),
      steamId: key(DataTypes.TEXT),
      value: required(DataTypes.BIGINT),
      reachedAt: clockTime(),
    },
    { sequelize, modelName: "SurvivalScore", tableName: "survival_scores" },
  );
