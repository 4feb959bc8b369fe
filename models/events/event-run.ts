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
import type { ModelReference } from "../reference.ts";
import type { EventDefinition } from "./event-definition.ts";
import type { EventVersion } from "./event-version.ts";

/** One occurrence of an event. */
export class EventRun extends Model<InferAttributes<EventRun>, InferCreationAttributes<EventRun>> {
  declare id: CreationOptional<number>;
  declare definitionId: number;
  declare versionId: number;
  declare scope: string;
  /** Null to start as soon as possible. */
  declare scheduledFor: Date | null;
  /** A rehearsal has no effects. */
  declare rehearsal: CreationOptional<boolean>;
  /** True if the schedule created it, false if a user did. */
  declare isMaterialised: CreationOptional<boolean>;
  /** Cancelled because the schedule changed; its occurrence may be created again. */
  declare isWithdrawn: CreationOptional<boolean>;
  declare status: CreationOptional<
    "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed"
  >;
  declare health: CreationOptional<"ok" | "degraded">;
  declare cleanupStatus: CreationOptional<string>;
  /** Copied from the version. */
  declare concurrencyKey: string | null;
  declare givenParams: CreationOptional<Record<string, unknown>>;
  /** The given parameters, with the version's defaults. */
  declare params: CreationOptional<Record<string, unknown>>;
  /** Why its parameters do not fit the version that it was moved to, so that it cannot begin. */
  declare unfitReason: string | null;
  /** Variables of the last occurrences that opened gates. */
  declare variables: CreationOptional<Record<string, unknown>>;
  /** User whose rights apply: the creator of the run, or the publisher of the version. */
  declare startedBy: number | null;
  /** Role of the API token that created it, which limits its rights; null for a session. */
  declare startedAs: Role | null;
  /** API token that created it: revoking the token ends the rights. */
  declare startedToken: CreationOptional<number | null>;
  declare currentPhase: string | null;
  declare phaseBeganAt: Date | null;
  /** How long the current phase has been paused. */
  declare phasePausedMs: CreationOptional<number>;
  /** When the gate opens by itself or times out. */
  declare gateDueAt: Date | null;
  /** The kind of occurrence that the current gate counts. */
  declare listensFor: string | null;
  /** Number of the last processed news, by source. */
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

export const references: readonly ModelReference[] = [
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
