import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

/** A push stream that a user has subscribed to, for all devices. */
export class PushSubscription extends Model<
  InferAttributes<PushSubscription>,
  InferCreationAttributes<PushSubscription>
> {
  declare userId: number;
  declare stream: string;
}

export const references: readonly ModelReference[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PushSubscription =>
  class extends PushSubscription {}.init(
    { userId: key(DataTypes.INTEGER), stream: key(DataTypes.TEXT) },
    { sequelize, modelName: "PushSubscription", tableName: "push_subscriptions" },
  );
