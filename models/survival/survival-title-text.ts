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
import { clockTime, key, optional } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof SurvivalTitleText =>
  class extends SurvivalTitleText {}.init(
    {
      stat: key(DataTypes.TEXT),
      title: optional(DataTypes.TEXT),
      updatedAt: clockTime(),
      updatedBy: optional(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalTitleText", tableName: "survival_title_texts" },
  );
