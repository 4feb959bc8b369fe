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
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  withDefault,
} from "../columns.ts";

/**
 * `waiting`: sent at `nextAt`. `trying`: being sent; if its worker dies, it is never sent again. `done`:
 * delivered, expired or given up.
 */
export type DeliveryState = "waiting" | "trying" | "done";

/** A push to one device. The row is stored before the first attempt. */
export class PushDelivery extends Model<
  InferAttributes<PushDelivery>,
  InferCreationAttributes<PushDelivery>
> {
  declare pushId: number;
  declare deviceId: number;
  /**
   * Shard event that caused the push. Each device gets at most one message per event, even from several streams.
   */
  declare shardEventId: CreationOptional<number | null>;
  /** Relay of the device. */
  declare origin: string;
  declare state: CreationOptional<DeliveryState>;
  /** Number of started attempts. */
  declare attempts: CreationOptional<number>;
  /** Id of the batch in which the current attempt was claimed. */
  declare claim: string | null;
  declare nextAt: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "Push", as: "push", foreignKey: "pushId", onDelete: "CASCADE" },
  { owner: "PushDevice", as: "device", foreignKey: "deviceId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof PushDelivery =>
  class extends PushDelivery {}.init(
    {
      pushId: primaryKeyColumn(DataTypes.BIGINT),
      deviceId: primaryKeyColumn(DataTypes.INTEGER),
      shardEventId: optionalColumn(DataTypes.BIGINT),
      origin: requiredColumn(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "waiting"),
      attempts: withDefault(DataTypes.INTEGER, 0),
      claim: optionalColumn(DataTypes.UUID),
      nextAt: clockTimeColumn(),
    },
    { sequelize, modelName: "PushDelivery", tableName: "push_deliveries" },
  );
