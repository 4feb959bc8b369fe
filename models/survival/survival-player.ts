import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

/** Somebody who was seen on a survival game server. */
export class SurvivalPlayer extends Model<
  InferAttributes<SurvivalPlayer>,
  InferCreationAttributes<SurvivalPlayer>
> {
  declare steamId: string;
  declare name: string;
  declare firstSeenAt: CreationOptional<Date>;
  declare lastSeenAt: CreationOptional<Date>;
}

export const defineSurvivalPlayer = (sequelize: Sequelize): typeof SurvivalPlayer =>
  class extends SurvivalPlayer {}.init(
    {
      steamId: key(DataTypes.TEXT),
      name: required(DataTypes.TEXT),
      firstSeenAt: clockTime(),
      lastSeenAt: clockTime(),
    },
    { sequelize, modelName: "SurvivalPlayer", tableName: "survival_players" },
  );
