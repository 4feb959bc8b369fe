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
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../../columns.ts";

/** Appearance, combat and loot of one kind of NPCs. */
export class SurvivalNpcProfile extends Model<
  InferAttributes<SurvivalNpcProfile>,
  InferCreationAttributes<SurvivalNpcProfile>
> {
  declare id: CreationOptional<number>;
  /** The key that identifies the profile on game servers. The key of a deleted profile can be reused. */
  declare key: string;
  declare document: Record<string, unknown>;
  declare revision: CreationOptional<number>;
  /** The highest revision number, including revisions from game servers. */
  declare lastRevision: CreationOptional<number>;
  declare isDeleted: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
  declare changedBy?: NonAttribute<Pick<User, "username"> | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcProfile =>
  class extends SurvivalNpcProfile {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      key: requiredColumn(DataTypes.TEXT),
      document: requiredColumn(DataTypes.JSONB),
      revision: withDefault(DataTypes.INTEGER, 1),
      lastRevision: withDefault(DataTypes.INTEGER, 1),
      isDeleted: withDefault(DataTypes.BOOLEAN, false),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalNpcProfile", tableName: "survival_npc_profiles" },
  );
