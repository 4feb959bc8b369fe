import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, optionalColumn, requiredColumn } from "../../columns.ts";
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

export const defineModel = (sequelize: Sequelize): typeof SurvivalClanMember =>
  class extends SurvivalClanMember {}.init(
    {
      clanRowId: primaryKeyColumn(DataTypes.INTEGER),
      steamId: primaryKeyColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      roleId: optionalColumn(DataTypes.INTEGER),
      roleName: optionalColumn(DataTypes.TEXT),
      roleRank: optionalColumn(DataTypes.INTEGER),
      joinedAt: optionalColumn(DataTypes.DATE),
      lastSeenAt: optionalColumn(DataTypes.DATE),
      isOnline: optionalColumn(DataTypes.BOOLEAN),
    },
    { sequelize, modelName: "SurvivalClanMember", tableName: "survival_clan_members" },
  );
