import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof PushSubscription =>
  class extends PushSubscription {}.init(
    { userId: primaryKeyColumn(DataTypes.INTEGER), stream: primaryKeyColumn(DataTypes.TEXT) },
    { sequelize, modelName: "PushSubscription", tableName: "push_subscriptions" },
  );
