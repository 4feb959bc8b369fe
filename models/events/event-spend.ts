import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, key, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof StepSpending =>
  class extends StepSpending {}.init(
    {
      stepId: key(DataTypes.INTEGER),
      dimension: key(DataTypes.TEXT),
      amount: required(DataTypes.INTEGER),
      at: clockTime(),
    },
    {
      sequelize,
      modelName: "EventSpend",
      tableName: "event_spends",
    },
  );
