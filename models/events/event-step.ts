import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identity, optional, required, unique, withDefault } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof EventStep =>
  class extends EventStep {}.init(
    {
      id: identity(DataTypes.INTEGER),
      runId: required(DataTypes.INTEGER),
      phase: required(DataTypes.TEXT),
      phaseIndex: required(DataTypes.SMALLINT),
      seq: required(DataTypes.SMALLINT),
      key: required(DataTypes.TEXT),
      actionId: required(DataTypes.TEXT),
      actionVersion: required(DataTypes.INTEGER),
      params: required(DataTypes.JSONB),
      isFilled: withDefault(DataTypes.BOOLEAN, false),
      offsetSeconds: required(DataTypes.INTEGER),
      onFailure: required(DataTypes.TEXT),
      confirm: required(DataTypes.BOOLEAN),
      confirmedAt: optional(DataTypes.DATE),
      budgetMs: required(DataTypes.INTEGER),
      maxAttempts: withDefault(DataTypes.INTEGER, 5),
      triesAllowed: required(DataTypes.INTEGER),
      idempotencyKey: unique(required(DataTypes.TEXT)),
      status: withDefault(DataTypes.TEXT, "pending"),
      dueAt: optional(DataTypes.DATE),
      attempts: withDefault(DataTypes.INTEGER, 0),
      leaseOwner: optional(DataTypes.TEXT),
      leaseUntil: optional(DataTypes.DATE),
      hasWaited: withDefault(DataTypes.BOOLEAN, false),
      parkedFor: optional(DataTypes.TEXT),
      firstUnknownAt: optional(DataTypes.DATE),
      result: optional(DataTypes.JSONB),
      lastError: optional(DataTypes.TEXT),
      startedAt: optional(DataTypes.DATE),
      finishedAt: optional(DataTypes.DATE),
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
