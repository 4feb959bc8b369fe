import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import {
  clockTimeColumn,
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
} from "../../columns.ts";

/** A permission, membership or group that the site has written to a server, with the result. */
export class SurvivalPermissionRow extends Model<
  InferAttributes<SurvivalPermissionRow>,
  InferCreationAttributes<SurvivalPermissionRow>
> {
  declare serverId: number;
  declare subjectKind: "user" | "group";
  /** A Steam id, or the name of a group. */
  declare subject: string;
  /** `group` is the row of the group itself, not of a member. */
  declare kind: "permission" | "membership" | "group";
  /** The name of a permission or of a group; empty in the row of the group itself. */
  declare value: string;
  declare state: "pending" | "pushed" | "failed" | "withdrawn";
  /** For a group: title, rank and parent on the server, as one text. */
  declare shape: string | null;
  /** The current or last push of the row. The column `op` holds the operation of that push. */
  declare pushId: string | null;
  declare op: "grant" | "revoke" | "join" | "leave" | "group" | "remove" | null;
  declare nextShape: string | null;
  declare bootId: string | null;
  declare at: CreationOptional<Date>;
  declare error: string | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalPermissionRow =>
  class extends SurvivalPermissionRow {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      subjectKind: primaryKeyColumn(DataTypes.TEXT),
      subject: primaryKeyColumn(DataTypes.TEXT),
      kind: primaryKeyColumn(DataTypes.TEXT),
      value: primaryKeyColumn(DataTypes.TEXT),
      state: requiredColumn(DataTypes.TEXT),
      shape: optionalColumn(DataTypes.TEXT),
      pushId: optionalColumn(DataTypes.TEXT),
      op: optionalColumn(DataTypes.TEXT),
      nextShape: optionalColumn(DataTypes.TEXT),
      bootId: optionalColumn(DataTypes.TEXT),
      at: clockTimeColumn(),
      error: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalPermissionRow", tableName: "survival_permission_rows" },
  );
