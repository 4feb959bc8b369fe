import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { singleRowKey, optional } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

/** The style of the site's messages on survival servers. */
export class SurvivalVoice extends Model<
  InferAttributes<SurvivalVoice>,
  InferCreationAttributes<SurvivalVoice>
> {
  declare id: CreationOptional<number>;
  /** Null if none is set. */
  declare voice: Record<string, unknown> | null;
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
}

export const references: readonly ModelReference[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalVoice =>
  class extends SurvivalVoice {}.init(
    {
      id: singleRowKey(),
      voice: optional(DataTypes.JSONB),
      updatedAt: optional(DataTypes.DATE),
      updatedBy: optional(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalVoice", tableName: "survival_voice" },
  );
