import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, required, transactionTime, unique, withDefault } from "../columns.ts";

export class EventSeries extends Model<
  InferAttributes<EventSeries>,
  InferCreationAttributes<EventSeries>
> {
  declare id: CreationOptional<number>;
  declare name: string;
  declare slug: string;
  declare description: CreationOptional<string>;
  declare ordering: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof EventSeries =>
  class extends EventSeries {}.init(
    {
      id: identity(DataTypes.INTEGER),
      name: required(DataTypes.TEXT),
      slug: unique(required(DataTypes.TEXT)),
      description: withDefault(DataTypes.TEXT, ""),
      ordering: withDefault(DataTypes.INTEGER, 0),
      createdAt: transactionTime(),
    },
    {
      sequelize,
      modelName: "EventSeries",
      tableName: "event_series",
    },
  );
