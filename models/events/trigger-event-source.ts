import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** A source of event news, such as the shard. Writers of its news lock its row. */
export class TriggerEventSource extends Model<
  InferAttributes<TriggerEventSource>,
  InferCreationAttributes<TriggerEventSource>
> {
  declare source: string;
  /** Number of its last news. */
  declare last: number;
}

export const define = (sequelize: Sequelize): typeof TriggerEventSource =>
  class extends TriggerEventSource {}.init(
    { source: key(DataTypes.TEXT), last: required(DataTypes.BIGINT) },
    { sequelize, modelName: "EventNewsSource", tableName: "event_news_sources" },
  );
