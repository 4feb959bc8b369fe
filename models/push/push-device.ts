import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identity, optional, required, transactionTime } from "../columns.ts";

/** Why the last attempt to reach a device failed. */
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

/** A browser or phone of a user, as registered at its push relay. */
export class PushDevice extends Model<
  InferAttributes<PushDevice>,
  InferCreationAttributes<PushDevice>
> {
  declare id: CreationOptional<number>;
  declare userId: number;
  /** Normalized address at the relay. Keep it secret: with the keys, it allows sending messages. */
  declare endpoint: string;
  /** The relay. */
  declare origin: string;
  declare p256dh: string;
  declare auth: string;
  declare deviceName: string | null;
  declare createdAt: CreationOptional<Date>;
  declare lastSuccessAt: Date | null;
  /** Null if the last attempt succeeded. */
  declare lastError: PushFault | null;
  /** Start of the failures since the last delivery. */
  declare failingSince: Date | null;
  /** The relay asked not to get messages for the device before this time. */
  declare heldUntil: Date | null;
}

export const associations: readonly ModelAssociation[] = [
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
