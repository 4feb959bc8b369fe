import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";

/** A step of a run. One worker at a time holds its lease; `attempts` is the fencing token. */
export class EventStep extends Model<
  InferAttributes<EventStep>,
  InferCreationAttributes<EventStep>
> {
  declare id: CreationOptional<number>;
  declare runId: number;
  /** Key of the phase that the step belongs to. */
  declare phase: string;
  declare phaseIndex: number;
  /** Position within the phase, from 1. */
  declare seq: number;
  declare key: string;
  declare actionId: string;
  declare actionVersion: number;
  /** The parameters as in the version. The first claim replaces their placeholders by values, which then stay. */
  declare params: Record<string, unknown>;
  declare isFilled: CreationOptional<boolean>;
  declare offsetSeconds: number;
  declare onFailure: "continue" | "pause" | "abort" | "park";
  /** True if staff must confirm the step before it runs. */
  declare confirm: boolean;
  declare confirmedAt: Date | null;
  declare budgetMs: number;
  /** Limit of attempts that the event defines. */
  declare maxAttempts: CreationOptional<number>;
  /** Current limit of attempts; a manual retry raises it. */
  declare triesAllowed: number;
  declare idempotencyKey: string;
  declare status: CreationOptional<
    "pending" | "ready" | "running" | "succeeded" | "failed" | "skipped" | "cancelled"
  >;
  declare dueAt: Date | null;
  /** Never reset. */
  declare attempts: CreationOptional<number>;
  declare leaseOwner: string | null;
  declare leaseUntil: Date | null;
  /** True if a step that only waits has begun to wait. It succeeds when its time is over. */
  declare hasWaited: CreationOptional<boolean>;
  /** The reason why a person must decide; null unless the step is parked. */
  declare parkedFor: "action" | "confirm" | "failure" | "unknown" | null;
  /** Time of the first attempt whose result is unknown. */
  declare firstUnknownAt: Date | null;
  declare result: Record<string, unknown> | null;
  declare lastError: string | null;
  declare startedAt: Date | null;
  declare finishedAt: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventRun", as: "run", foreignKey: "runId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof EventStep =>
  class extends EventStep {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      runId: requiredColumn(DataTypes.INTEGER),
      phase: requiredColumn(DataTypes.TEXT),
      phaseIndex: requiredColumn(DataTypes.SMALLINT),
      seq: requiredColumn(DataTypes.SMALLINT),
      key: requiredColumn(DataTypes.TEXT),
      actionId: requiredColumn(DataTypes.TEXT),
      actionVersion: requiredColumn(DataTypes.INTEGER),
      params: requiredColumn(DataTypes.JSONB),
      isFilled: withDefault(DataTypes.BOOLEAN, false),
      offsetSeconds: requiredColumn(DataTypes.INTEGER),
      onFailure: requiredColumn(DataTypes.TEXT),
      confirm: requiredColumn(DataTypes.BOOLEAN),
      confirmedAt: optionalColumn(DataTypes.DATE),
      budgetMs: requiredColumn(DataTypes.INTEGER),
      maxAttempts: withDefault(DataTypes.INTEGER, 5),
      triesAllowed: requiredColumn(DataTypes.INTEGER),
      idempotencyKey: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      status: withDefault(DataTypes.TEXT, "pending"),
      dueAt: optionalColumn(DataTypes.DATE),
      attempts: withDefault(DataTypes.INTEGER, 0),
      leaseOwner: optionalColumn(DataTypes.TEXT),
      leaseUntil: optionalColumn(DataTypes.DATE),
      hasWaited: withDefault(DataTypes.BOOLEAN, false),
      parkedFor: optionalColumn(DataTypes.TEXT),
      firstUnknownAt: optionalColumn(DataTypes.DATE),
      result: optionalColumn(DataTypes.JSONB),
      lastError: optionalColumn(DataTypes.TEXT),
      startedAt: optionalColumn(DataTypes.DATE),
      finishedAt: optionalColumn(DataTypes.DATE),
    },
    {
      sequelize,
      modelName: "EventStep",
      tableName: "event_steps",
      indexes: [
        { unique: true, fields: ["run_id", "phase_index", "seq"] },
        { unique: true, fields: ["run_id", "key"] },
      ],
    },
  );
