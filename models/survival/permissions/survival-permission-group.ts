import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
  withDefault,
} from "../../columns.ts";

export class SurvivalPermissionGroup extends Model<
  InferAttributes<SurvivalPermissionGroup>,
  InferCreationAttributes<SurvivalPermissionGroup>
> {
  declare id: CreationOptional<number>;
  /** In lower case. */
  declare name: string;
  declare title: CreationOptional<string>;
  declare rank: CreationOptional<number>;
  /** Name of the group from which this group inherits. */
  declare parent: string | null;
  declare permissions: CreationOptional<string[]>;
  declare scopeAll: CreationOptional<boolean>;
  declare serverIds: number[];
  /** False for groups that the game creates. */
  declare managed: CreationOptional<boolean>;
  /** True if the group can be neither renamed nor deleted. */
  declare protected: CreationOptional<boolean>;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalPermissionGroup =>
  class extends SurvivalPermissionGroup {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      name: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      title: withDefault(DataTypes.TEXT, ""),
      rank: withDefault(DataTypes.INTEGER, 0),
      parent: optionalColumn(DataTypes.TEXT),
      permissions: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      scopeAll: withDefault(DataTypes.BOOLEAN, true),
      serverIds: requiredColumn(DataTypes.ARRAY(DataTypes.INTEGER)),
      managed: withDefault(DataTypes.BOOLEAN, true),
      protected: withDefault(DataTypes.BOOLEAN, false),
      updatedAt: transactionTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalPermissionGroup", tableName: "survival_permission_groups" },
  );
