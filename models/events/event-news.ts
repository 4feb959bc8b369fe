import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

/** Something that happened and that a phase of an event may wait for. */
export class EventNews extends Model<
  InferAttributes<EventNews>,
  InferCreationAttributes<EventNews>
> {
  declare source: string;
  /** Counts up within its source, in the order in which it was stored. */
  declare number: number;
  /** A trigger's id. */
  declare trigger: string;
  /** By what it is known again when it is told twice. */
  declare eventKey: string;
  /** Epoch milliseconds: when it happened. */
  declare t: number;
  /** What everybody may know of it, by the names that the trigger declares. */
  declare variables: Record<string, unknown>;
  declare storedAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof EventNews =>
  class extends EventNews {}.init(
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
