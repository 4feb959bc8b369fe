import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../../columns.ts";

/** The last attempt to push an NPC profile to a game server. */
export class SurvivalNpcPush extends Model<
  InferAttributes<SurvivalNpcPush>,
  InferCreationAttributes<SurvivalNpcPush>
> {
  declare serverId: number;
  declare key: string;
  /** The profile that had the key at the time of the push. */
  declare profileId: number;
  declare revision: number;
  declare state: "pushed" | "failed";
  declare error: string | null;
  /** True if the server has, or may have, a revision that was written on the site. */
  declare isThere: boolean;
  declare sentAt: Date;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcPush =>
  class extends SurvivalNpcPush {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      key: primaryKeyColumn(DataTypes.TEXT),
      profileId: requiredColumn(DataTypes.INTEGER),
      revision: requiredColumn(DataTypes.INTEGER),
      state: requiredColumn(DataTypes.TEXT),
      error: optionalColumn(DataTypes.TEXT),
      isThere: requiredColumn(DataTypes.BOOLEAN),
      sentAt: requiredColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalNpcPush", tableName: "survival_npc_pushes" },
  );
