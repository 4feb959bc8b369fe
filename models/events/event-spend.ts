import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";

/** What a step has spent: a second attempt spends nothing. */
export class EventSpend extends Model<
  InferAttributes<EventSpend>,
  InferCreationAttributes<EventSpend>
> {
  declare stepId: number;
  declare dimension: string;
  declare amount: number;
  declare at: CreationOptional<Date>;
}

export const defineEventSpend = (sequelize: Sequelize): typeof EventSpend =>
  class extends EventSpend {}.init(
    {
      stepId: key(DataTypes.INTEGER),
      dimension: key(DataTypes.TEXT),
      amount: required(DataTypes.INTEGER),
      at: clockTime(),
    },
    {
      sequelize,
      modelName: "EventSpend",
      tableName: "event_spends",
    },
  );
