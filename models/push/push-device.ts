import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional, required, transactionTime } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** Why the last try to reach a device failed. */
export type PushFault =
  | "gone"
  | "refused"
  | "limited"
  | "unavailable"
  | "timeout"
  | "unreachable"
  | "address"
  | "certificate"
  | "redirect"
  | "too_large";

/** A browser or phone of a user, as its push relay reaches it. */
export class PushDevice extends Model<
  InferAttributes<PushDevice>,
  InferCreationAttributes<PushDevice>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  /** The normal form of its address at the relay: who knows it and the keys can write to it. */
  declare endpoint: string;
  /** The relay. */
  declare origin: string;
  declare p256dh: string;
  declare auth: string;
  declare deviceName: string | null;
  declare createdAt: CreationOptional<Date>;
  declare lastSuccessAt: Date | null;
  /** Null when the last try succeeded. */
  declare lastError: PushFault | null;
  /** Since when nothing has reached it that was tried to the end. */
  declare failingSince: Date | null;
  /** The relay asked to be left alone about it until then. */
  declare heldUntil: Date | null;
}

export const ties: readonly Tie[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PushDevice =>
  class extends PushDevice {}.init(
    {
      id: identity(DataTypes.INTEGER),
      userId: required(DataTypes.INTEGER),
      endpoint: required(DataTypes.TEXT),
      origin: required(DataTypes.TEXT),
      p256dh: required(DataTypes.TEXT),
      auth: required(DataTypes.TEXT),
      deviceName: optional(DataTypes.TEXT),
      createdAt: transactionTime(),
      lastSuccessAt: optional(DataTypes.DATE),
      lastError: optional(DataTypes.TEXT),
      failingSince: optional(DataTypes.DATE),
      heldUntil: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "PushDevice",
      tableName: "push_devices",
      indexes: [{ unique: true, fields: ["user_id", "endpoint"] }],
    },
  );
