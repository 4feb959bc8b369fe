import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { singleRowKey, optionalColumn, withDefault } from "../columns.ts";

/** An administrator's settings for the visibility of survival servers. */
export class SurvivalVisibility extends Model<
  InferAttributes<SurvivalVisibility>,
  InferCreationAttributes<SurvivalVisibility>
> {
  declare id: CreationOptional<number>;
  /** The changed settings. A missing key has its default value. */
  declare override: CreationOptional<Record<string, unknown>>;
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalVisibility =>
  class extends SurvivalVisibility {}.init(
    {
      id: singleRowKey(),
      override: withDefault(DataTypes.JSONB, {}),
      updatedAt: optionalColumn(DataTypes.DATE),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalVisibility", tableName: "survival_visibility" },
  );
