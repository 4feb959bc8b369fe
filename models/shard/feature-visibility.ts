import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, requiredColumn } from "../columns.ts";

/** An administrator's changes to the visibility of a feature. */
export class FeatureVisibility extends Model<
  InferAttributes<FeatureVisibility>,
  InferCreationAttributes<FeatureVisibility>
> {
  declare feature: string;
  declare override: Record<string, unknown>;
}

export const defineModel = (sequelize: Sequelize): typeof FeatureVisibility =>
  class extends FeatureVisibility {}.init(
    {
      feature: primaryKeyColumn(DataTypes.TEXT),
      override: requiredColumn(DataTypes.JSONB),
    },
    { sequelize, modelName: "FeatureVisibility", tableName: "feature_visibility" },
  );
