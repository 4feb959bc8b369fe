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
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";
import type { Punishment } from "../shard/punishment.ts";

export const appealStates = [
  "open",
  "assigned",
  "accepted",
  "reduced",
  "rejected",
  "withdrawn",
] as const;
export type AppealState = (typeof appealStates)[number];

export type UnbanStatus = "queued" | "done" | "failed";

/** A player's appeal against a punishment of a game account. */
export class Appeal extends Model<InferAttributes<Appeal>, InferCreationAttributes<Appeal>> {
  declare id: CreationOptional<number>;
  /** The owner; deleting the user deletes the appeal. */
  declare userId: number;
  declare punishmentId: number;
  declare account: string;
  declare reason: string;
  declare state: CreationOptional<AppealState>;
  declare assigneeId: number | null;
  declare createdAt: CreationOptional<Date>;
  /** Time of the last change that the owner sees. */
  declare updatedAt: CreationOptional<Date>;
  /** Number of messages that the owner sees. */
  declare messagesCount: CreationOptional<number>;
  declare notedAt: Date | null;
  declare notesCount: CreationOptional<number>;
  declare decidedAt: Date | null;
  declare decidedBy: number | null;
  declare decisionNote: string | null;
  /** State of the unban that the decision ordered; null if it ordered none. */
  declare unbanStatus: UnbanStatus | null;
  declare unbanReason: string | null;
  declare user?: NonAttribute<User>;
  declare assignee?: NonAttribute<User | null>;
  declare decider?: NonAttribute<User | null>;
  declare punishment?: NonAttribute<Punishment>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  { owner: "User", as: "assignee", foreignKey: "assigneeId", onDelete: "SET NULL" },
  { owner: "User", as: "decider", foreignKey: "decidedBy", onDelete: "SET NULL" },
  { owner: "Punishment", as: "punishment", foreignKey: "punishmentId", onDelete: "NO ACTION" },
];

export const defineModel = (sequelize: Sequelize): typeof Appeal =>
  class extends Appeal {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      punishmentId: requiredColumn(DataTypes.INTEGER),
      account: requiredColumn(DataTypes.TEXT),
      reason: requiredColumn(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "open"),
      assigneeId: optionalColumn(DataTypes.INTEGER),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      messagesCount: withDefault(DataTypes.INTEGER, 0),
      notedAt: optionalColumn(DataTypes.DATE),
      notesCount: withDefault(DataTypes.INTEGER, 0),
      decidedAt: optionalColumn(DataTypes.DATE),
      decidedBy: optionalColumn(DataTypes.INTEGER),
      decisionNote: optionalColumn(DataTypes.TEXT),
      unbanStatus: optionalColumn(DataTypes.TEXT),
      unbanReason: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "Appeal",
      tableName: "appeals",
      scopes: {
        /** Appeals without a decision. */
        open: { where: { state: { [Op.in]: ["open", "assigned"] } } },
      },
    },
  );
