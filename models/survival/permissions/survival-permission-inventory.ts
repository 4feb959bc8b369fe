import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { primaryKeyColumn, requiredColumn } from "../../columns.ts";

export interface InventoryGroup {
  readonly name: string;
  readonly title: string | null;
  readonly rank: number | null;
  readonly parent: string | null;
  readonly permissions: readonly string[];
}

export interface RegisteredPermission {
  readonly name: string;
  readonly plugin: string | null;
}

export interface InventoryUser {
  readonly steamId: string;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly permissions: readonly string[];
}

/** The last permission inventory of a game server. */
export class SurvivalPermissionInventory extends Model<
  InferAttributes<SurvivalPermissionInventory>,
  InferCreationAttributes<SurvivalPermissionInventory>
> {
  declare serverId: number;
  declare toldAt: Date;
  declare groups: readonly InventoryGroup[];
  /** Permissions registered by loaded plugins. */
  declare permissions: readonly RegisteredPermission[];
  declare users: readonly InventoryUser[];
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalPermissionInventory =>
  class extends SurvivalPermissionInventory {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      toldAt: requiredColumn(DataTypes.DATE),
      groups: requiredColumn(DataTypes.JSONB),
      permissions: requiredColumn(DataTypes.JSONB),
      users: requiredColumn(DataTypes.JSONB),
    },
    {
      sequelize,
      modelName: "SurvivalPermissionInventory",
      tableName: "survival_permission_inventories",
    },
  );
