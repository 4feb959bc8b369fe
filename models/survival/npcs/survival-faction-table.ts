import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import type { User } from "../../auth/user.ts";
import { singleRowKey, optionalColumn } from "../../columns.ts";

/** Time of the last change to the pairs of factions. */
export class SurvivalFactionTable extends Model<
  InferAttributes<SurvivalFactionTable>,
  InferCreationAttributes<SurvivalFactionTable>
> {
  declare id: CreationOptional<number>;
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
  declare changedBy?: NonAttribute<Pick<User, "username"> | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalFactionTable =>
  class extends SurvivalFactionTable {}.init(
    {
      id: singleRowKey(),
      updatedAt: optionalColumn(DataTypes.DATE),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalFactionTable", tableName: "survival_faction_table" },
  );
