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
} from "../../columns.ts";

/** Origin of a placement's coordinates: the middle of the map, or a monument. */
export const placementAnchors = ["world", "monument"] as const;
export type PlacementAnchor = (typeof placementAnchors)[number];

/** Policies for a placement after a wipe. */
export const wipePolicies = ["keep", "drop"] as const;
export type WipePolicy = (typeof wipePolicies)[number];

/** Position and number of a profile's NPCs on a server. */
export class SurvivalNpcPlacement extends Model<
  InferAttributes<SurvivalNpcPlacement>,
  InferCreationAttributes<SurvivalNpcPlacement>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare profileKey: string;
  /** The name that identifies the placement in the game. */
  declare name: string;
  declare anchor: PlacementAnchor;
  declare monument: string | null;
  declare x: number;
  declare y: number;
  declare z: number;
  /** In degrees. */
  declare rotation: number;
  declare count: number;
  /** Meters within which the NPCs are spread. */
  declare radius: number;
  /** Null for never. */
  declare respawnSec: number | null;
  declare enabled: boolean;
  declare onWipe: WipePolicy;
  /** Creation time, in epoch milliseconds, of the world that the placement was made for; null if unknown. */
  declare saveId: number | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
  declare changedBy?: NonAttribute<Pick<User, "username"> | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcPlacement =>
  class extends SurvivalNpcPlacement {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      profileKey: requiredColumn(DataTypes.TEXT),
      name: requiredColumn(DataTypes.TEXT),
      anchor: requiredColumn(DataTypes.TEXT),
      monument: optionalColumn(DataTypes.TEXT),
      x: requiredColumn(DataTypes.DOUBLE),
      y: requiredColumn(DataTypes.DOUBLE),
      z: requiredColumn(DataTypes.DOUBLE),
      rotation: requiredColumn(DataTypes.DOUBLE),
      count: requiredColumn(DataTypes.INTEGER),
      radius: requiredColumn(DataTypes.DOUBLE),
      respawnSec: optionalColumn(DataTypes.INTEGER),
      enabled: requiredColumn(DataTypes.BOOLEAN),
      onWipe: requiredColumn(DataTypes.TEXT),
      saveId: optionalColumn(DataTypes.BIGINT),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalNpcPlacement",
      tableName: "survival_npc_placements",
      indexes: [{ unique: true, fields: ["server_id", "name"] }],
    },
  );
