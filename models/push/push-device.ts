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
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof PushDevice =>
  class extends PushDevice {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      endpoint: requiredColumn(DataTypes.TEXT),
      origin: requiredColumn(DataTypes.TEXT),
      p256dh: requiredColumn(DataTypes.TEXT),
      auth: requiredColumn(DataTypes.TEXT),
      deviceName: optionalColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
      lastSuccessAt: optionalColumn(DataTypes.DATE),
      lastError: optionalColumn(DataTypes.TEXT),
      failingSince: optionalColumn(DataTypes.DATE),
      heldUntil: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "PushDevice",
      tableName: "push_devices",
      indexes: [{ unique: true, fields: ["user_id", "endpoint"] }],
    },
  );
