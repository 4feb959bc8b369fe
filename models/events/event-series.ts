import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import {
  identityColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof EventSeries =>
  class extends EventSeries {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      name: requiredColumn(DataTypes.TEXT),
      slug: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      description: withDefault(DataTypes.TEXT, ""),
      ordering: withDefault(DataTypes.INTEGER, 0),
      createdAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventSeries",
      tableName: "event_series",
    },
  );
