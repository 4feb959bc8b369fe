import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { Role, User } from "../auth/user.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";
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
  /** True if the schedule created the run, false if a user did. */
  declare isMaterialised: CreationOptional<boolean>;
  /** True if the run was canceled because the schedule changed. Its occurrence may get a new run. */
  declare isWithdrawn: CreationOptional<boolean>;
  declare status: CreationOptional<
    "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed"
  >;
  declare health: CreationOptional<"ok" | "degraded">;
  declare cleanupStatus: CreationOptional<string>;
  /** The concurrency key of the version at the time of creation. */
  declare concurrencyKey: string | null;
  declare givenParams: CreationOptional<Record<string, unknown>>;
  /** The parameters of the run. The version's defaults fill those that were not given. */
  declare params: CreationOptional<Record<string, unknown>>;
  /** Why the parameters do not fit the version to which the run was moved. Such a run cannot begin. */
  declare unfitReason: string | null;
  /** Variables of the last events that opened a gate of this run. */
  declare variables: CreationOptional<Record<string, unknown>>;
  /** User whose rights the run has: its creator, or the publisher of the version. */
  declare startedBy: number | null;
  /** Role of the API token that created the run and limits its rights; null if a user's session created it. */
  declare startedAs: Role | null;
  /** API token that created the run. If the token is revoked, the run loses its rights. */
  declare startedToken: CreationOptional<number | null>;
  declare currentPhase: string | null;
  declare phaseBeganAt: Date | null;
  /** How long the current phase has been paused. */
  declare phasePausedMs: CreationOptional<number>;
  /** When the gate of the current phase opens by itself or times out. */
  declare gateDueAt: Date | null;
  /** The trigger that the gate of the current phase waits for. */
  declare listensFor: string | null;
  /** By source: the number of the last row of `event_news` that the run has processed. */
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

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "starter", foreignKey: "startedBy", onDelete: "SET NULL" },
  { owner: "ApiToken", as: "starterToken", foreignKey: "startedToken", onDelete: "SET NULL" },
  { owner: "EventDefinition", as: "definition", foreignKey: "definitionId", onDelete: "NO ACTION" },
  { owner: "EventVersion", as: "version", foreignKey: "versionId", onDelete: "NO ACTION" },
];

export const defineModel = (sequelize: Sequelize): typeof EventRun =>
  class extends EventRun {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      definitionId: requiredColumn(DataTypes.INTEGER),
      versionId: requiredColumn(DataTypes.INTEGER),
      scope: requiredColumn(DataTypes.TEXT),
      scheduledFor: optionalColumn(DataTypes.DATE),
      rehearsal: withDefault(DataTypes.BOOLEAN, false),
      isMaterialised: withDefault(DataTypes.BOOLEAN, false),
      isWithdrawn: withDefault(DataTypes.BOOLEAN, false),
      status: withDefault(DataTypes.TEXT, "scheduled"),
      health: withDefault(DataTypes.TEXT, "ok"),
      cleanupStatus: withDefault(DataTypes.TEXT, "none"),
      concurrencyKey: optionalColumn(DataTypes.TEXT),
      givenParams: withDefault(DataTypes.JSONB, {}),
      params: withDefault(DataTypes.JSONB, {}),
      unfitReason: optionalColumn(DataTypes.TEXT),
      variables: withDefault(DataTypes.JSONB, {}),
      startedBy: optionalColumn(DataTypes.INTEGER),
      startedAs: optionalColumn(DataTypes.TEXT),
      startedToken: optionalColumn(DataTypes.INTEGER),
      currentPhase: optionalColumn(DataTypes.TEXT),
      phaseBeganAt: optionalColumn(DataTypes.DATE),
      phasePausedMs: withDefault(DataTypes.BIGINT, 0),
      gateDueAt: optionalColumn(DataTypes.DATE),
      listensFor: optionalColumn(DataTypes.TEXT),
      heard: withDefault(DataTypes.JSONB, {}),
      pausedAt: optionalColumn(DataTypes.DATE),
      pausedByStep: optionalColumn(DataTypes.INTEGER),
      lastError: optionalColumn(DataTypes.TEXT),
      createdAt: transactionTimeColumn(),
      startedAt: optionalColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "EventRun",
      tableName: "event_runs",
    },
  );
