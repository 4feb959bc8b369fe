import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
} from "../columns.ts";
import { transactionStart } from "../queries/clock.ts";

/** A setting that differs from its default. */
export class Setting extends Model<InferAttributes<Setting>, InferCreationAttributes<Setting>> {
  declare name: string;
  declare value: unknown;
  declare changedAt: CreationOptional<Date>;
  declare changedBy: number | null;

  /** Stores a value. @returns the time of the change */
  static async store(
    given: Pick<Setting, "name" | "value" | "changedBy">,
    transaction: Transaction,
  ): Promise<Date> {
    const changed = { ...given, changedAt: transactionStart() };
    const [{ changedAt }] = await this.upsert(changed, { transaction });
    return changedAt;
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changer", foreignKey: "changedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof Setting =>
  class extends Setting {}.init(
    {
      name: primaryKeyColumn(DataTypes.TEXT),
      value: requiredColumn(DataTypes.JSONB),
      changedAt: transactionTimeColumn(),
      changedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "Setting", tableName: "settings" },
  );
