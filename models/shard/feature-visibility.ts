import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** An administrator's changes to the visibility of a feature. */
export class FeatureVisibility extends Model<
  InferAttributes<FeatureVisibility>,
  InferCreationAttributes<FeatureVisibility>
> {
  declare feature: string;
  declare override: Record<string, unknown>;
}

export const define = (sequelize: Sequelize): typeof FeatureVisibility =>
  class extends FeatureVisibility {}.init(
    {
      feature: key(DataTypes.TEXT),
      override: required(DataTypes.JSONB),
    },
    { sequelize, modelName: "FeatureVisibility", tableName: "feature_visibility" },
  );
