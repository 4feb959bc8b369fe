import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, requiredColumn, withDefault } from "../../columns.ts";

/** The number of NPCs of a profile that a player killed within one world. */
export class SurvivalNpcKill extends Model<
  InferAttributes<SurvivalNpcKill>,
  InferCreationAttributes<SurvivalNpcKill>
> {
  declare wipeId: number;
  declare profileKey: string;
  declare steamId: string;
  declare kills: number;
  declare lastAt: Date;
  /** True if the player is staff and the server excludes staff from rankings. Triggers set it. */
  declare leftOut: CreationOptional<boolean>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalWipe", as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcKill =>
  class extends SurvivalNpcKill {}.init(
    {
      wipeId: primaryKeyColumn(DataTypes.INTEGER),
      profileKey: primaryKeyColumn(DataTypes.TEXT),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      kills: requiredColumn(DataTypes.INTEGER),
      lastAt: requiredColumn(DataTypes.DATE),
      leftOut: withDefault(DataTypes.BOOLEAN, false),
    },
    { sequelize, modelName: "SurvivalNpcKill", tableName: "survival_npc_kills" },
  );
