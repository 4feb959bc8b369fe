import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import { clockTimeColumn, identityColumn, optionalColumn, requiredColumn } from "../columns.ts";
import type { SurvivalServer } from "./survival-server.ts";

export const reportStates = ["open", "seen", "closed"] as const;

export type ReportState = (typeof reportStates)[number];

/** A report that a player of a survival server sent to the staff. */
export class SurvivalReport extends Model<
  InferAttributes<SurvivalReport>,
  InferCreationAttributes<SurvivalReport>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  /** How the report arrived first: as the game's form, or as an event of the link. */
  declare via: "form" | "link";
  declare reporterSteamId: string;
  declare reporterName: string;
  /** The reported player; null if the report is about no player. */
  declare targetSteamId: string | null;
  declare targetName: string | null;
  declare type: string | null;
  declare subject: string;
  declare message: string;
  declare reportedAt: Date;
  declare createdAt: CreationOptional<Date>;
  declare seenAt: Date | null;
  declare seenBy: number | null;
  declare closedAt: Date | null;
  declare closedBy: number | null;
  /** Note of the staff member who closed the report. */
  declare note: string | null;
  declare server?: NonAttribute<SurvivalServer>;
  declare seer?: NonAttribute<User | null>;
  declare closer?: NonAttribute<User | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "seer", foreignKey: "seenBy", onDelete: "SET NULL" },
  { owner: "User", as: "closer", foreignKey: "closedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalReport =>
  class extends SurvivalReport {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      serverId: requiredColumn(DataTypes.INTEGER),
      via: requiredColumn(DataTypes.TEXT),
      reporterSteamId: requiredColumn(DataTypes.TEXT),
      reporterName: requiredColumn(DataTypes.TEXT),
      targetSteamId: optionalColumn(DataTypes.TEXT),
      targetName: optionalColumn(DataTypes.TEXT),
      type: optionalColumn(DataTypes.TEXT),
      subject: requiredColumn(DataTypes.TEXT),
      message: requiredColumn(DataTypes.TEXT),
      reportedAt: requiredColumn(DataTypes.DATE),
      createdAt: clockTimeColumn(),
      seenAt: optionalColumn(DataTypes.DATE),
      seenBy: optionalColumn(DataTypes.INTEGER),
      closedAt: optionalColumn(DataTypes.DATE),
      closedBy: optionalColumn(DataTypes.INTEGER),
      note: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalReport",
      tableName: "survival_reports",
      scopes: {
        open: { where: { seenAt: null, closedAt: null } },
        seen: { where: { seenAt: { [Op.ne]: null }, closedAt: null } },
        closed: { where: { closedAt: { [Op.ne]: null } } },
      },
    },
  );
