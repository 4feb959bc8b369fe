import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn } from "../columns.ts";

/** The title that staff gave a category. It applies to all servers. */
export class SurvivalTitleText extends Model<
  InferAttributes<SurvivalTitleText>,
  InferCreationAttributes<SurvivalTitleText>
> {
  declare stat: string;
  /** Null to use the default title. */
  declare title: string | null;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
  declare changedBy?: NonAttribute<User | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalTitleText =>
  class extends SurvivalTitleText {}.init(
    {
      stat: primaryKeyColumn(DataTypes.TEXT),
      title: optionalColumn(DataTypes.TEXT),
      updatedAt: clockTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalTitleText", tableName: "survival_title_texts" },
  );
