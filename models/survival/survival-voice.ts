import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { singleRowKey, optionalColumn } from "../columns.ts";

/** The style of the messages that the site sends to survival servers, such as prefix and colors. */
export class SurvivalMessageStyle extends Model<
  InferAttributes<SurvivalMessageStyle>,
  InferCreationAttributes<SurvivalMessageStyle>
> {
  declare id: CreationOptional<number>;
  /** Null to use the default style. */
  declare voice: Record<string, unknown> | null;
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalMessageStyle =>
  class extends SurvivalMessageStyle {}.init(
    {
      id: singleRowKey(),
      voice: optionalColumn(DataTypes.JSONB),
      updatedAt: optionalColumn(DataTypes.DATE),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalVoice", tableName: "survival_voice" },
  );
