import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required, unique, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** States of a command: `lost` is one whose outcome cannot come any more. */
export const commandStates = ["waiting", "taken", "answered", "lost"] as const;
export type CommandState = (typeof commandStates)[number];

/** Why a command was lost: it was not sent whole, the game process ended, or no outcome came long after its time. */
export type CommandLoss = "unwritten" | "restarted" | "overdue";

/** For whom an outcome is kept: for the caller who waits for it, or for repeats under the key. */
type KeptFor = "caller" | "key" | "nobody";

/** A call to a plugin: it waits until the plugin takes it, and then for its outcome. */
export class PluginCommand extends Model<
  InferAttributes<PluginCommand>,
  InferCreationAttributes<PluginCommand>
> {
  /** The order in which commands are handed out. */
  declare number: CreationOptional<number>;
  declare id: string;
  declare source: string;
  /** Method and path template, such as `POST /v1/broadcast`. */
  declare call: string;
  /** `params`, `query` and `body`. */
  declare input: Record<string, unknown>;
  declare actor: Record<string, unknown> | null;
  /** The idempotency key; null for reads and for resync. */
  declare key: string | null;
  /** HMAC of call and input: the same key with another input is a conflict. */
  declare digest: Buffer;
  declare state: CreationOptional<CommandState>;
  /** Why it is lost; null for any other. */
  declare loss: CommandLoss | null;
  declare isRead: boolean;
  declare createdAt: CreationOptional<Date>;
  /** A command that is not taken by then never happens. */
  declare takeBefore: Date;
  declare answerBefore: Date;
  declare takenAt: Date | null;
  /** The run of the game process that took it. */
  declare bootId: string | null;
  declare answeredAt: Date | null;
  declare status: number | null;
  declare keptFor: CreationOptional<KeptFor>;
  /** The body of the outcome, JSON; null before it came, and when it is not kept any more. */
  declare outcome: string | null;
  declare outcomeDigest: Buffer | null;
}

export const ties: readonly Tie[] = [
  { owner: "IngestSource", as: "gameServer", foreignKey: "source", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PluginCommand =>
  class extends PluginCommand {}.init(
    {
      number: identity(DataTypes.BIGINT),
      id: unique(required(DataTypes.UUID)),
      source: required(DataTypes.TEXT),
      call: required(DataTypes.TEXT),
      input: required(DataTypes.JSONB),
      actor: optional(DataTypes.JSONB),
      key: optional(DataTypes.TEXT),
      digest: required(DataTypes.BLOB),
      state: withDefault(DataTypes.TEXT, "waiting"),
      loss: optional(DataTypes.TEXT),
      isRead: required(DataTypes.BOOLEAN),
      createdAt: clockTime(),
      takeBefore: required(DataTypes.DATE),
      answerBefore: required(DataTypes.DATE),
      takenAt: optional(DataTypes.DATE),
      bootId: optional(DataTypes.TEXT),
      answeredAt: optional(DataTypes.DATE),
      status: optional(DataTypes.INTEGER),
      keptFor: withDefault(DataTypes.TEXT, "key"),
      outcome: optional(DataTypes.TEXT),
      outcomeDigest: optional(DataTypes.BLOB),
    },
    { sequelize, modelName: "PluginCommand", tableName: "plugin_commands" },
  );
