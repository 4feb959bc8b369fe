import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../../columns.ts";

/** The player with the most kills on a server when the kills were last counted. */
export class SurvivalKillLeader extends Model<
  InferAttributes<SurvivalKillLeader>,
  InferCreationAttributes<SurvivalKillLeader>
> {
  declare serverId: number;
  /** Fencing token of the ingest process that counted the kills. */
  declare fence: number;
  declare wipeId: number;
  /** Null while nobody leads. */
  declare steamId: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "SurvivalWipe", as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalKillLeader =>
  class extends SurvivalKillLeader {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      fence: requiredColumn(DataTypes.BIGINT),
      wipeId: requiredColumn(DataTypes.INTEGER),
      steamId: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalKillLeader", tableName: "survival_kill_leaders" },
  );
