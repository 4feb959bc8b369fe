import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

/** An event for which a phase of a run may wait. */
export class TriggerEvent extends Model<
  InferAttributes<TriggerEvent>,
  InferCreationAttributes<TriggerEvent>
> {
  declare source: string;
  /** Number of the event within its source, in the order of storage. */
  declare number: number;
  /** Id of the trigger. */
  declare trigger: string;
  /** Equal for repeated reports of the same event. */
  declare eventKey: string;
  /** Time of the event, in epoch milliseconds. */
  declare t: number;
  /** Public values of the event, by the names that the trigger declares. */
  declare variables: Record<string, unknown>;
  declare storedAt: CreationOptional<Date>;
}

export const defineModel = (sequelize: Sequelize): typeof TriggerEvent =>
  class extends TriggerEvent {}.init(
    {
      source: primaryKeyColumn(DataTypes.TEXT),
      number: primaryKeyColumn(DataTypes.BIGINT),
      trigger: requiredColumn(DataTypes.TEXT),
      eventKey: requiredColumn(DataTypes.TEXT),
      t: requiredColumn(DataTypes.BIGINT),
      variables: requiredColumn(DataTypes.JSONB),
      storedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "EventNews", tableName: "event_news" },
  );
