import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, requiredColumn } from "../../columns.ts";

/** The last leaderboard of clans of a server: when it arrived, and if it names all clans. */
export class SurvivalClanBoard extends Model<
  InferAttributes<SurvivalClanBoard>,
  InferCreationAttributes<SurvivalClanBoard>
> {
  declare serverId: number;
  declare toldAt: Date;
  declare ceiling: number;
  /** False if the leaderboard may omit clans. */
  declare isComplete: boolean;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalClanBoard =>
  class extends SurvivalClanBoard {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      toldAt: requiredColumn(DataTypes.DATE),
      ceiling: requiredColumn(DataTypes.INTEGER),
      isComplete: requiredColumn(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "SurvivalClanBoard", tableName: "survival_clan_boards" },
  );
