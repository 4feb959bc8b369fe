import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { Role, User } from "../auth/user.ts";
import { identity, optional, required, transactionTime, withDefault } from "../columns.ts";
import type { Tie } from "../tie.ts";
import type { EventDefinition } from "./event-definition.ts";
import type { EventVersion } from "./event-version.ts";

/** One time that an event takes place. */
export class EventRun extends Model<InferAttributes<EventRun>, InferCreationAttributes<EventRun>> {
  declare id: CreationOptional<number>;
  declare definitionId: number;
  declare versionId: number;
  declare scope: string;
  /** Null for one that starts as soon as it can. */
  declare scheduledFor: Date | null;
  /** Everything but the effects. */
  declare rehearsal: CreationOptional<boolean>;
  /** Made by the schedule and not by a person. */
  declare isMaterialised: CreationOptional<boolean>;
  /** Cancelled since the schedule changed: the occurrence may be made again. */
  declare isWithdrawn: CreationOptional<boolean>;
  declare status: CreationOptional<
    "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed"
  >;
  declare health: CreationOptional<"ok" | "degraded">;
  declare cleanupStatus: CreationOptional<string>;
  /** The version's. */
  declare concurrencyKey: string | null;
  declare givenParams: CreationOptional<Record<string, unknown>>;
  /** Those that were given, and the version's defaults. */
  declare params: CreationOptional<Record<string, unknown>>;
  /** Why the run cannot begin: its parameters do not fit the version it was moved to. */
  declare unfitReason: string | null;
  /** Of the last events that opened gates. */
  declare variables: CreationOptional<Record<string, unknown>>;
  /** With whose rights it acts: who created it, or who published the version. */
  declare startedBy: number | null;
  /** The role of the token that created it, beyond which it has no rights; null for a session. */
  declare startedAs: Role | null;
  /** That token: the rights end when it is revoked. */
  declare startedToken: CreationOptional<number | null>;
  declare currentPhase: string | null;
  declare phaseBeganAt: Date | null;
  /** How long the present phase was paused. */
  declare phasePausedMs: CreationOptional<number>;
  /** When the gate opens by itself, or gives up waiting. */
  declare gateDueAt: Date | null;
  /** The kind of event that the present gate counts, while it does. */
  declare listensFor: string | null;
  /** The number of the last news that it has heard, by their source. */
  declare heard: CreationOptional<Record<string, number>>;
  declare pausedAt: Date | null;
  /** The step whose failure paused the run. */
  declare pausedByStep: number | null;
  declare lastError: string | null;
  declare createdAt: CreationOptional<Date>;
  declare startedAt: Date | null;
  declare endedAt: Date | null;
  declare definition?: NonAttribute<EventDefinition>;
  declare version?: NonAttribute<EventVersion>;
  declare starter?: NonAttribute<User | null>;
}

export const ties: readonly Tie[] = [
  { owner: "User", as: "starter", foreignKey: "startedBy", onDelete: "SET NULL" },
  { owner: "ApiToken", as: "starterToken", foreignKey: "startedToken", onDelete: "SET NULL" },
  { owner: "EventDefinition", as: "definition", foreignKey: "definitionId", onDelete: "NO ACTION" },
  { owner: "EventVersion", as: "version", foreignKey: "versionId", onDelete: "NO ACTION" },
];

export const define = (sequelize: Sequelize): typeof EventRun =>
  class extends EventRun {}.init(
    {
      id: identity(DataTypes.INTEGER),
      definitionId: required(DataTypes.INTEGER),
      versionId: required(DataTypes.INTEGER),
      scope: required(DataTypes.TEXT),
      scheduledFor: optional(DataTypes.DATE),
      rehearsal: withDefault(DataTypes.BOOLEAN, false),
      isMaterialised: withDefault(DataTypes.BOOLEAN, false),
      isWithdrawn: withDefault(DataTypes.BOOLEAN, false),
      status: withDefault(DataTypes.TEXT, "scheduled"),
      health: withDefault(DataTypes.TEXT, "ok"),
      cleanupStatus: withDefault(DataTypes.TEXT, "none"),
      concurrencyKey: optional(DataTypes.TEXT),
      givenParams: withDefault(DataTypes.JSONB, {}),
      params: withDefault(DataTypes.JSONB, {}),
      unfitReason: optional(DataTypes.TEXT),
      variables: withDefault(DataTypes.JSONB, {}),
      startedBy: optional(DataTypes.INTEGER),
      startedAs: optional(DataTypes.TEXT),
      startedToken: optional(DataTypes.INTEGER),
      currentPhase: optional(DataTypes.TEXT),
      phaseBeganAt: optional(DataTypes.DATE),
      phasePausedMs: withDefault(DataTypes.BIGINT, 0),
      gateDueAt: optional(DataTypes.DATE),
      listensFor: optional(DataTypes.TEXT),
      heard: withDefault(DataTypes.JSONB, {}),
      pausedAt: optional(DataTypes.DATE),
      pausedByStep: optional(DataTypes.INTEGER),
      lastError: optional(DataTypes.TEXT),
      createdAt: transactionTime(),
      startedAt: optional(DataTypes.DATE),
      endedAt: optional(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "EventRun",
      tableName: "event_runs",
    },
  );
