import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn } from "../../columns.ts";

/** The state of a placement, as reported by the game. */
export interface PlacementState {
  readonly name: string;
  readonly spawned: boolean;
  readonly alive: number;
  readonly expected: number;
  /** Epoch milliseconds. */
  readonly lastSpawnAt?: number | null;
  readonly lastDeathAt?: number | null;
  readonly problem?: string | null;
}

/** The state of NPCs on a game server. */
export class SurvivalNpcState extends Model<
  InferAttributes<SurvivalNpcState>,
  InferCreationAttributes<SurvivalNpcState>
> {
  declare serverId: number;
  /** Time of the server's last hello. Pushes before this hello may be lost. */
  declare saidHelloAt: CreationOptional<Date>;
  declare placements: readonly PlacementState[] | null;
  /** Boot id of the game process that reported the placements. */
  declare bootId: string | null;
  declare factionsSentAt: Date | null;
  /** Hash of the last pushed faction table. */
  declare factionsHash: string | null;
  declare placementsSentAt: Date | null;
  /** Hash of the last pushed placements. */
  declare placementsHash: string | null;
}

export const associations: readonly ModelAssociation[] = [
  {
    owner: "SurvivalServer",
    as: "server",
    foreignKey: "serverId",
    rows: "npcs",
    isOne: true,
    onDelete: "CASCADE",
  },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalNpcState =>
  class extends SurvivalNpcState {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      saidHelloAt: clockTimeColumn(),
      placements: optionalColumn(DataTypes.JSONB),
      bootId: optionalColumn(DataTypes.TEXT),
      factionsSentAt: optionalColumn(DataTypes.DATE),
      factionsHash: optionalColumn(DataTypes.TEXT),
      placementsSentAt: optionalColumn(DataTypes.DATE),
      placementsHash: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalNpcServer", tableName: "survival_npc_servers" },
  );
