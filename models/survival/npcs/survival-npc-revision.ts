import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { User } from "../../auth/user.ts";
import { key, optional, required, transactionTime } from "../../columns.ts";
import type { Tie } from "../../tie.ts";

/** Who wrote a revision: somebody at the site, or somebody in a game. */
export type RevisionOrigin = "site" | "server";

/** A document of an NPC profile that another one took the place of. */
export class SurvivalNpcRevision extends Model<
  InferAttributes<SurvivalNpcRevision>,
  InferCreationAttributes<SurvivalNpcRevision>
> {
  declare profileId: number;
  declare revision: number;
  declare document: Record<string, unknown>;
  declare origin: RevisionOrigin;
  /** Where it stood, of one that the site did not write. */
  declare serverId: number | null;
  /** When it was written, and by whom, where the site knows. */
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
  declare replacedAt: CreationOptional<Date>;
  declare changedBy?: NonAttribute<Pick<User, "username"> | null>;
}

export const ties: readonly Tie[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "SET NULL" },
  { owner: "SurvivalNpcProfile", as: "profile", foreignKey: "profileId", onDelete: "CASCADE" },
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalNpcRevision =>
  class extends SurvivalNpcRevision {}.init(
    {
      profileId: key(DataTypes.INTEGER),
      revision: key(DataTypes.INTEGER),
      document: required(DataTypes.JSONB),
      origin: required(DataTypes.TEXT),
      serverId: optional(DataTypes.INTEGER),
      updatedAt: optional(DataTypes.DATE),
      updatedBy: optional(DataTypes.INTEGER),
      replacedAt: transactionTime(),
    },
    { sequelize, modelName: "SurvivalNpcRevision", tableName: "survival_npc_revisions" },
  );
