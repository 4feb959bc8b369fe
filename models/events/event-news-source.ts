import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** Where news come from, such as the shard. Its row is locked by whoever adds to them. */
export class EventNewsSource extends Model<
  InferAttributes<EventNewsSource>,
  InferCreationAttributes<EventNewsSource>
> {
  declare source: string;
  /** The number of its last news. */
  declare last: number;
}

export const define = (sequelize: Sequelize): typeof EventNewsSource =>
  class extends EventNewsSource {}.init(
    { source: key(DataTypes.TEXT), last: required(DataTypes.BIGINT) },
    { sequelize, modelName: "EventNewsSource", tableName: "event_news_sources" },
  );
