import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, required } from "../columns.ts";
import type { Tie } from "../tie.ts";

/** The spending of a step, stored once for all attempts. */
export class EventSpend extends Model<
  InferAttributes<EventSpend>,
  InferCreationAttributes<EventSpend>
> {
  declare stepId: number;
  declare dimension: string;
  declare amount: number;
  declare at: CreationOptional<Date>;
}

export const ties: readonly Tie[] = [
  { owner: "EventStep", as: "step", foreignKey: "stepId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof EventSpend =>
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
