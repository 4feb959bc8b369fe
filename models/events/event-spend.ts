import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

/** The amount that a step spends, stored once for all its attempts. */
export class StepSpending extends Model<
  InferAttributes<StepSpending>,
  InferCreationAttributes<StepSpending>
> {
  declare stepId: number;
  declare dimension: string;
  declare amount: number;
  declare at: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventStep", as: "step", foreignKey: "stepId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof StepSpending =>
  class extends StepSpending {}.init(
    {
      stepId: primaryKeyColumn(DataTypes.INTEGER),
      dimension: primaryKeyColumn(DataTypes.TEXT),
      amount: requiredColumn(DataTypes.INTEGER),
      at: clockTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventSpend",
      tableName: "event_spends",
    },
  );
