import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, optional, required, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";

/**
 * `waiting` is to be sent at `nextAt`; `trying` is being sent, or was when its worker died, and is
 * never sent again; `done` was delivered or given up.
 */
export type DeliveryState = "waiting" | "trying" | "done";

/** One push on its way to one device. Its row is there before the first try. */
export class PushDelivery extends Model<
  InferAttributes<PushDelivery>,
  InferCreationAttributes<PushDelivery>
> {
  declare pushId: number;
  declare deviceId: number;
  /** The push's event of the shard: a device is told of it once, by whatever stream. */
  declare shardEventId: CreationOptional<number | null>;
  /** The device's relay. */
  declare origin: string;
  declare state: CreationOptional<DeliveryState>;
  /** Tries that have begun. */
  declare attempts: CreationOptional<number>;
  /** Of those that were begun together. */
  declare claim: string | null;
  declare nextAt: CreationOptional<Date>;
}

export const ties: readonly Tie[] = [
  { owner: "Push", as: "push", foreignKey: "pushId", onDelete: "CASCADE" },
  { owner: "PushDevice", as: "device", foreignKey: "deviceId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PushDelivery =>
  class extends PushDelivery {}.init(
    {
      pushId: key(DataTypes.BIGINT),
      deviceId: key(DataTypes.INTEGER),
      shardEventId: optional(DataTypes.BIGINT),
      origin: required(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "waiting"),
      attempts: withDefault(DataTypes.INTEGER, 0),
      claim: optional(DataTypes.UUID),
      nextAt: clockTime(),
    },
    { sequelize, modelName: "PushDelivery", tableName: "push_deliveries" },
  );
