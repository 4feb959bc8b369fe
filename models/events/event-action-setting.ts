import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";

/** An administrator's settings of an action. Without a row, the defaults for the action's risk apply. */
export class EventActionSetting extends Model<
  InferAttributes<EventActionSetting>,
  InferCreationAttributes<EventActionSetting>
> {
  declare actionId: string;
  declare enabled: boolean;
  declare caps: CreationOptional<Record<string, number>>;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "updater", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof EventActionSetting =>
  class extends EventActionSetting {}.init(
    {
      actionId: primaryKeyColumn(DataTypes.TEXT),
      enabled: requiredColumn(DataTypes.BOOLEAN),
      caps: withDefault(DataTypes.JSONB, {}),
      updatedAt: transactionTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "EventActionSetting",
      tableName: "event_action_settings",
    },
  );
