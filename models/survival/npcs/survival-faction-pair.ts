import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../../columns.ts";

export const stances = ["ally", "neutral", "hostile"] as const;
export type Stance = (typeof stances)[number];

/** The stance between the NPCs of two factions, ordered by name. */
export class SurvivalFactionPair extends Model<
  InferAttributes<SurvivalFactionPair>,
  InferCreationAttributes<SurvivalFactionPair>
> {
  declare a: string;
  declare b: string;
  declare stance: Stance;
}

export const defineModel = (sequelize: Sequelize): typeof SurvivalFactionPair =>
  class extends SurvivalFactionPair {}.init(
    {
      a: primaryKeyColumn(DataTypes.TEXT),
      b: primaryKeyColumn(DataTypes.TEXT),
      stance: requiredColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalFactionPair", tableName: "survival_faction_pairs" },
  );
