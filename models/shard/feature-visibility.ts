import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key, required } from "../columns.ts";

/** What an administrator changed of a feature's visibility. */
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
