import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../../columns.ts";
import type { Tie } from "../../tie.ts";

/** When a server told its board of clans last, and how far that reached. */
export class SurvivalClanBoard extends Model<
  InferAttributes<SurvivalClanBoard>,
  InferCreationAttributes<SurvivalClanBoard>
> {
  declare serverId: number;
  declare toldAt: Date;
  declare ceiling: number;
  /** False where the board may leave clans out. */
  declare isComplete: boolean;
}

export const ties: readonly Tie[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof SurvivalClanBoard =>
  class extends SurvivalClanBoard {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      toldAt: required(DataTypes.DATE),
      ceiling: required(DataTypes.INTEGER),
      isComplete: required(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "SurvivalClanBoard", tableName: "survival_clan_boards" },
  );
