import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key } from "../columns.ts";

/** Time of the last stored change about a game account or Steam account. Triggers write it. */
export class AccountDataTimestamp extends Model<
  InferAttributes<AccountDataTimestamp>,
  InferCreationAttributes<AccountDataTimestamp>
> {
  /** A hash of the account, with more bits than a JavaScript number holds: compare it only in SQL. */
  declare subject: number;
  declare changedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof AccountDataTimestamp =>
  class extends AccountDataTimestamp {}.init(
    { subject: key(DataTypes.BIGINT), changedAt: clockTime() },
    { sequelize, modelName: "AccountChange", tableName: "account_changes" },
  );
