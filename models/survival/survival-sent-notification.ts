import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, primaryKeyColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof SurvivalSentNotification =>
  class extends SurvivalSentNotification {}.init(
    {
      source: primaryKeyColumn(DataTypes.TEXT),
      trigger: primaryKeyColumn(DataTypes.TEXT),
      eventKey: primaryKeyColumn(DataTypes.TEXT),
      toldAt: clockTimeColumn(),
    },
    { sequelize, modelName: "SurvivalNotice", tableName: "survival_notices" },
  );
