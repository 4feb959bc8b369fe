import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { singleRowKey, optional, withDefault } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

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

export const references: readonly ModelReference[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalVisibility =>
  class extends SurvivalVisibility {}.init(
    {
      id: singleRowKey(),
      override: withDefault(DataTypes.JSONB, {}),
      updatedAt: optional(DataTypes.DATE),
      updatedBy: optional(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalVisibility", tableName: "survival_visibility" },
  );
