import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { key, optional, required } from "../../columns.ts";
import type { SurvivalClan } from "./survival-clan.ts";

/** A member of a clan; unknown facts are null. */
export class SurvivalClanMember extends Model<
  InferAttributes<SurvivalClanMember>,
  InferCreationAttributes<SurvivalClanMember>
> {
  declare clanRowId: number;
  declare steamId: string;
  declare name: string;
  declare roleId: number | null;
  declare roleName: string | null;
  /** A lower number is a higher rank. */
  declare roleRank: number | null;
  declare joinedAt: Date | null;
  declare lastSeenAt: Date | null;
  declare isOnline: boolean | null;
  declare clan?: NonAttribute<SurvivalClan>;
}

export const associations: readonly ModelAssociation[] = [
  {
    owner: "SurvivalClan",
    as: "clan",
    foreignKey: "clanRowId",
    rows: "members",
    onDelete: "CASCADE",
  },
];

export const define = (sequelize: Sequelize): typeof SurvivalClanMember =>
  class extends SurvivalClanMember {}.init(
    {
      clanRowId: key(DataTypes.INTEGER),
      steamId: key(DataTypes.TEXT),
      name: required(DataTypes.TEXT),
      roleId: optional(DataTypes.INTEGER),
      roleName: optional(DataTypes.TEXT),
      roleRank: optional(DataTypes.INTEGER),
      joinedAt: optional(DataTypes.DATE),
      lastSeenAt: optional(DataTypes.DATE),
      isOnline: optional(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "SurvivalClanMember", tableName: "survival_clan_members" },
  );
