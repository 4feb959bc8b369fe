import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import type { User } from "../../auth/user.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../../columns.ts";

/** The place where a revision was written: on the site or in a game. */
export type RevisionOrigin = "site" | "server";

/** A former document of an NPC profile. */
export class SurvivalNpcRevision extends Model<
  InferAttributes<SurvivalNpcRevision>,
  InferCreationAttributes<SurvivalNpcRevision>
> {
  declare profileId: number;
  declare revision: number;
  declare document: Record<string, unknown>;
  declare origin: RevisionOrigin;
  /** Server on which the revision was found; null if it was written on the site. */
  declare serverId: number | null;
  /** Time of the revision and its author, if known. */
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
  declare replacedAt: CreationOptional<Date>;
  declare changedBy?: NonAttribute<Pick<User, "username"> | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "SET NULL" },
  { owner: "SurvivalNpcProfile", as: "profile", foreignKey: "profileId", onDelete: "CASCADE" },
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcRevision =>
  class extends SurvivalNpcRevision {}.init(
    {
      profileId: primaryKeyColumn(DataTypes.INTEGER),
      revision: primaryKeyColumn(DataTypes.INTEGER),
      document: requiredColumn(DataTypes.JSONB),
      origin: requiredColumn(DataTypes.TEXT),
      serverId: optionalColumn(DataTypes.INTEGER),
      updatedAt: optionalColumn(DataTypes.DATE),
      updatedBy: optionalColumn(DataTypes.INTEGER),
      replacedAt: transactionTimeColumn(),
    },
    { sequelize, modelName: "SurvivalNpcRevision", tableName: "survival_npc_revisions" },
  );
