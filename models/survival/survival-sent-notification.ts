import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key } from "../columns.ts";

/** A notification that was sent, stored so that it is not sent twice. */
export class SurvivalSentNotification extends Model<
  InferAttributes<SurvivalSentNotification>,
  InferCreationAttributes<SurvivalSentNotification>
> {
  declare source: string;
  declare trigger: string;
  declare eventKey: string;
  declare toldAt: CreationOptional<Date>;
}

export const define = (sequelize: Sequelize): typeof SurvivalSentNotification =>
  class extends SurvivalSentNotification {}.init(
    {
      source: key(DataTypes.TEXT),
      trigger: key(DataTypes.TEXT),
      eventKey: key(DataTypes.TEXT),
      toldAt: clockTime(),
    },
    { sequelize, modelName: "SurvivalNotice", tableName: "survival_notices" },
  );
