import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { onlyRow, optional } from "../columns.ts";
import type { Tie } from "../tie.ts";

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

export const ties: readonly Tie[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalVoice =>
  class extends SurvivalVoice {}.init(
    {
      id: onlyRow(),
      voice: optional(DataTypes.JSONB),
      updatedAt: optional(DataTypes.DATE),
      updatedBy: optional(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalVoice", tableName: "survival_voice" },
  );
