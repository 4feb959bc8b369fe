import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, requiredColumn, withDefault } from "../columns.ts";

/** The limit of a run in one dimension (such as broadcasts), and the amount that it has spent. */
export class EventBudget extends Model<
  InferAttributes<EventBudget>,
  InferCreationAttributes<EventBudget>
> {
  declare runId: number;
  declare dimension: string;
  declare cap: number;
  declare spent: CreationOptional<number>;
  /** The action that defines the limit. */
  declare actionId: string;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventRun", as: "run", foreignKey: "runId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof EventBudget =>
  class extends EventBudget {}.init(
    {
      runId: primaryKeyColumn(DataTypes.INTEGER),
      dimension: primaryKeyColumn(DataTypes.TEXT),
      cap: requiredColumn(DataTypes.INTEGER),
      spent: withDefault(DataTypes.INTEGER, 0),
      actionId: requiredColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "EventBudget",
      tableName: "event_budgets",
    },
  );
