import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

/** An occurrence that a phase of an event may wait for. */
export class TriggerEvent extends Model<
  InferAttributes<TriggerEvent>,
  InferCreationAttributes<TriggerEvent>
> {
  declare source: string;
  /** Ascending within the source, in the order of storage. */
  declare number: number;
  /** Id of the trigger. */
  declare trigger: string;
  /** Identifies repeated reports of one occurrence. */
  declare eventKey: string;
  /** Time of the occurrence, in epoch milliseconds. */
  declare t: number;
  /** Public facts, by the names that the trigger declares. */
  declare variables: Record<string, unknown>;
  declare storedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof TriggerEvent =>
  class extends TriggerEvent {}.init(
    {
      source: key(DataTypes.TEXT),
      number: key(DataTypes.BIGINT),
      trigger: required(DataTypes.TEXT),
      eventKey: required(DataTypes.TEXT),
      t: required(DataTypes.BIGINT),
      variables: required(DataTypes.JSONB),
      storedAt: clockTime(),
    },
    { sequelize, modelName: "EventNews", tableName: "event_news" },
  );
