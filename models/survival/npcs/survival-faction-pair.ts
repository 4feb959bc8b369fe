import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalFactionPair =>
  class extends SurvivalFactionPair {}.init(
    { a: key(DataTypes.TEXT), b: key(DataTypes.TEXT), stance: required(DataTypes.TEXT) },
    { sequelize, modelName: "SurvivalFactionPair", tableName: "survival_faction_pairs" },
  );
