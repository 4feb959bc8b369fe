import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identityColumn, optionalColumn, requiredColumn, withDefault } from "../columns.ts";

/** A rule that gives a title to the players with the first places in a category. */
export class SurvivalTitleRule extends Model<
  InferAttributes<SurvivalTitleRule>,
  InferCreationAttributes<SurvivalTitleRule>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare position: number;
  declare stat: string;
  declare topN: number;
  /** The title; null to use the title of the category. */
  declare text: string | null;
  declare color: string | null;
  declare enabled: CreationOptional<boolean>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalTitleRule =>
  class extends SurvivalTitleRule {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      position: requiredColumn(DataTypes.INTEGER),
      stat: requiredColumn(DataTypes.TEXT),
      topN: requiredColumn(DataTypes.INTEGER),
      text: optionalColumn(DataTypes.TEXT),
      color: optionalColumn(DataTypes.TEXT),
      enabled: withDefault(DataTypes.BOOLEAN, true),
    },
    {
      sequelize,
      modelName: "SurvivalTitleRule",
      tableName: "survival_title_rules",
      scopes: { inForce: { where: { enabled: true } } },
    },
  );
