import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn } from "../columns.ts";

/** Time of the last stored change of data about a game or Steam account. Triggers write it. */
export class AccountDataTimestamp extends Model<
  InferAttributes<AccountDataTimestamp>,
  InferCreationAttributes<AccountDataTimestamp>
> {
  /**
   * A 64-bit hash of the account. Compare the hash only in SQL: a JavaScript number cannot hold all of its
   * digits.
   */
  declare subject: number;
  declare changedAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof AccountDataTimestamp =>
  class extends AccountDataTimestamp {}.init(
    { subject: primaryKeyColumn(DataTypes.BIGINT), changedAt: clockTimeColumn() },
    { sequelize, modelName: "AccountChange", tableName: "account_changes" },
  );
