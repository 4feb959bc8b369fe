import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, optional, required, transactionTime, withDefault } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

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

export const references: readonly ModelReference[] = [
  { owner: "User", as: "updater", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof EventActionSetting =>
  class extends EventActionSetting {}.init(
    {
      actionId: key(DataTypes.TEXT),
      enabled: required(DataTypes.BOOLEAN),
      caps: withDefault(DataTypes.JSONB, {}),
      updatedAt: transactionTime(),
      updatedBy: optional(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "EventActionSetting",
      tableName: "event_action_settings",
    },
  );
