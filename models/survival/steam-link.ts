import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import { key, optional, required, transactionTime } from "../columns.ts";
import type { SurvivalServer } from "./survival-server.ts";

/** A Steam account that a user has shown to be his own. */
export class SteamLink extends Model<
  InferAttributes<SteamLink>,
  InferCreationAttributes<SteamLink>
> {
  declare steamId: string;
  declare userId: number;
  declare name: string;
  /** Where the code was made. */
  declare serverId: number | null;
  declare linkedAt: CreationOptional<Date>;
  declare server?: NonAttribute<SurvivalServer | null>;
}

export const defineSteamLink = (sequelize: Sequelize): typeof SteamLink =>
  class extends SteamLink {}.init(
    {
      steamId: key(DataTypes.TEXT),
      userId: required(DataTypes.INTEGER),
      name: required(DataTypes.TEXT),
      serverId: optional(DataTypes.INTEGER),
      linkedAt: transactionTime(),
    },
    { sequelize, modelName: "SteamLink", tableName: "steam_links" },
  );
