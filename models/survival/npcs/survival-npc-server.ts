import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, key, optional } from "../../columns.ts";
import type { Tie } from "../../tie.ts";

/** How a placement stands in the game, in the game's own words. */
export interface PlacementLife {
  readonly name: string;
  readonly spawned: boolean;
  readonly alive: number;
  readonly expected: number;
  /** Epoch milliseconds. */
  readonly lastSpawnAt?: number | null;
  readonly lastDeathAt?: number | null;
  readonly problem?: string | null;
}

/** How NPCs stand on a game server, by its last words. */
export class SurvivalNpcServer extends Model<
  InferAttributes<SurvivalNpcServer>,
  InferCreationAttributes<SurvivalNpcServer>
> {
  declare serverId: number;
  /** What was pushed before may be gone since. */
  declare saidHelloAt: CreationOptional<Date>;
  declare placements: readonly PlacementLife[] | null;
  /** The game process that told of the placements. */
  declare bootId: string | null;
  declare factionsSentAt: Date | null;
  /** Of the table of factions that was pushed last. */
  declare factionsHash: string | null;
  declare placementsSentAt: Date | null;
  /** Of the list of placements that was pushed last. */
  declare placementsHash: string | null;
}

export const ties: readonly Tie[] = [
  {
    owner: "SurvivalServer",
    as: "server",
    foreignKey: "serverId",
    rows: "npcs",
    isOne: true,
    onDelete: "CASCADE",
  },
];

export const define = (sequelize: Sequelize): typeof SurvivalNpcServer =>
  class extends SurvivalNpcServer {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      saidHelloAt: clockTime(),
      placements: optional(DataTypes.JSONB),
      bootId: optional(DataTypes.TEXT),
      factionsSentAt: optional(DataTypes.DATE),
      factionsHash: optional(DataTypes.TEXT),
      placementsSentAt: optional(DataTypes.DATE),
      placementsHash: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "SurvivalNpcServer", tableName: "survival_npc_servers" },
  );
