import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required, unique, withDefault } from "../../columns.ts";
import type { Tie } from "../../tie.ts";

export const participationMethods = ["zone", "command", "damage", "kill"] as const;

export type ParticipationMethod = (typeof participationMethods)[number];

/** Somebody who took part, as the game counted. */
export interface Participant {
  readonly steamId: string;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** What they did, in the unit of the method: of damage the hit points. */
  readonly score: number;
}

/** Who takes part in something on a survival server, which the game counts. */
export class SurvivalParticipation extends Model<
  InferAttributes<SurvivalParticipation>,
  InferCreationAttributes<SurvivalParticipation>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare method: ParticipationMethod;
  declare zoneId: string | null;
  /** Of the NPCs that count. */
  declare profile: string | null;
  declare state: CreationOptional<"opening" | "open" | "collected" | "expired">;
  declare durationSec: number;
  declare openedAt: CreationOptional<Date>;
  /** The game counts no longer then. */
  declare leaseUntil: Date;
  declare closedAt: Date | null;
  declare members: readonly Participant[];
  declare runId: number | null;
  declare stepId: number | null;
  /** Of the step that opens it, whose attempts open one. */
  declare stepKey: string | null;
}

export const ties: readonly Tie[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof SurvivalParticipation =>
  class extends SurvivalParticipation {}.init(
    {
      id: identity(DataTypes.INTEGER),
      serverId: required(DataTypes.INTEGER),
      method: required(DataTypes.TEXT),
      zoneId: optional(DataTypes.TEXT),
      profile: optional(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "opening"),
      durationSec: required(DataTypes.INTEGER),
      openedAt: clockTime(),
      leaseUntil: required(DataTypes.DATE),
      closedAt: optional(DataTypes.DATE),
      members: required(DataTypes.JSONB),
      runId: optional(DataTypes.INTEGER),
      stepId: optional(DataTypes.INTEGER),
      stepKey: unique(optional(DataTypes.TEXT)),
    },
    { sequelize, modelName: "SurvivalParticipation", tableName: "survival_participations" },
  );
