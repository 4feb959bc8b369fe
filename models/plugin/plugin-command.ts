import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

/** States of a command. The outcome of a `lost` command can no longer arrive. */
export const commandStates = ["waiting", "taken", "answered", "lost"] as const;
export type CommandState = (typeof commandStates)[number];

/**
 * Why a command was lost. For a plugin: the command was not sent completely, the game process ended, or the
 * outcome is overdue. For a console: its connection ended before the command was sent, or before its outcome
 * arrived.
 */
export type CommandLossReason = "unwritten" | "restarted" | "overdue" | "unsent" | "disconnected";

/** For whom an outcome is kept: the waiting caller, repeated commands with the same key, or nobody. */
type OutcomeRetention = "caller" | "key" | "nobody";

/** A call to a plugin. The command waits until the plugin takes it, and then for its outcome. */
export class PluginCommand extends Model<
  InferAttributes<PluginCommand>,
  InferCreationAttributes<PluginCommand>
> {
  /** Position in the order of delivery. */
  declare number: CreationOptional<number>;
  declare id: string;
  declare source: string;
  /** Method and path template, such as `POST /v1/broadcast`. */
  declare call: string;
  /** `params`, `query` and `body`. */
  declare input: Record<string, unknown>;
  declare actor: Record<string, unknown> | null;
  /** Idempotency key; null for reads and for resync. */
  declare key: string | null;
  /** HMAC of call and input. A repeated key with another digest is a conflict. */
  declare digest: Buffer;
  declare state: CreationOptional<CommandState>;
  /** Why the command was lost; null in other states. */
  declare loss: CommandLossReason | null;
  declare isRead: boolean;
  declare createdAt: CreationOptional<Date>;
  /** The command is never executed if the plugin has not taken it before this time. */
  declare takeBefore: Date;
  declare answerBefore: Date;
  declare takenAt: Date | null;
  /** Boot id of the game process that took the command. */
  declare bootId: string | null;
  declare answeredAt: Date | null;
  declare status: number | null;
  declare keptFor: CreationOptional<OutcomeRetention>;
  /** Body of the outcome as JSON; null before it arrives, and after its retention. */
  declare outcome: string | null;
  declare outcomeDigest: Buffer | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "IngestSource", as: "gameServer", foreignKey: "source", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PluginCommand =>
  class extends PluginCommand {}.init(
    {
      number: identityColumn(DataTypes.BIGINT),
      id: uniqueColumn(requiredColumn(DataTypes.UUID)),
      source: requiredColumn(DataTypes.TEXT),
      call: requiredColumn(DataTypes.TEXT),
      input: requiredColumn(DataTypes.JSONB),
      actor: optionalColumn(DataTypes.JSONB),
      key: optionalColumn(DataTypes.TEXT),
      digest: requiredColumn(DataTypes.BLOB),
      state: withDefault(DataTypes.TEXT, "waiting"),
      loss: optionalColumn(DataTypes.TEXT),
      isRead: requiredColumn(DataTypes.BOOLEAN),
      createdAt: clockTimeColumn(),
      takeBefore: requiredColumn(DataTypes.DATE),
      answerBefore: requiredColumn(DataTypes.DATE),
      takenAt: optionalColumn(DataTypes.DATE),
      bootId: optionalColumn(DataTypes.TEXT),
      answeredAt: optionalColumn(DataTypes.DATE),
      status: optionalColumn(DataTypes.INTEGER),
      keptFor: withDefault(DataTypes.TEXT, "key"),
      outcome: optionalColumn(DataTypes.TEXT),
      outcomeDigest: optionalColumn(DataTypes.BLOB),
    },
    { sequelize, modelName: "PluginCommand", tableName: "plugin_commands" },
  );
