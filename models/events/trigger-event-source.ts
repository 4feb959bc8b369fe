import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** A source of the rows in `event_news`, such as the shard. Writers lock its row before they insert. */
export class TriggerEventSource extends Model<
  InferAttributes<TriggerEventSource>,
  InferCreationAttributes<TriggerEventSource>
> {
  declare source: string;
  /** Number of the last row that the source has stored. */
  declare last: number;
}

export const defineModel = (sequelize: Sequelize): typeof TriggerEventSource =>
  class extends TriggerEventSource {}.init(
    { source: primaryKeyColumn(DataTypes.TEXT), last: requiredColumn(DataTypes.BIGINT) },
    { sequelize, modelName: "EventNewsSource", tableName: "event_news_sources" },
  );
