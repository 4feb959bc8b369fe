import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { key } from "../columns.ts";

/** A push stream that a user has subscribed to, for all devices. */
export class PushSubscription extends Model<
  InferAttributes<PushSubscription>,
  InferCreationAttributes<PushSubscription>
> {
  declare userId: number;
  declare stream: string;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof PushSubscription =>
  class extends PushSubscription {}.init(
    { userId: key(DataTypes.INTEGER), stream: key(DataTypes.TEXT) },
    { sequelize, modelName: "PushSubscription", tableName: "push_subscriptions" },
  );
