import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key } from "../columns.ts";

/** When something was last stored of an account of a game or of Steam. Triggers write it. */
export class AccountChange extends Model<
  InferAttributes<AccountChange>,
  InferCreationAttributes<AccountChange>
> {
  /** A hash of the account, of more bits than a number holds: the database alone compares it. */
  declare subject: number;
  declare changedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof AccountChange =>
  class extends AccountChange {}.init(
    { subject: key(DataTypes.BIGINT), changedAt: clockTime() },
    { sequelize, modelName: "AccountChange", tableName: "account_changes" },
  );
