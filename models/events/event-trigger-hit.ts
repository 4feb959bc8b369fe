import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, key, required } from "../columns.ts";

/** An event that a gate has counted. The row keeps a repeated event from being counted twice. */
export class EventTriggerHit extends Model<
  InferAttributes<EventTriggerHit>,
  InferCreationAttributes<EventTriggerHit>
> {
  declare runId: number;
  declare phase: string;
  declare source: string;
  declare eventKey: string;
  declare variables: Record<string, unknown>;
  declare at: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventRun", as: "run", foreignKey: "runId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof EventTriggerHit =>
  class extends EventTriggerHit {}.init(
    {
      runId: key(DataTypes.INTEGER),
      phase: key(DataTypes.TEXT),
      source: key(DataTypes.TEXT),
      eventKey: key(DataTypes.TEXT),
      variables: required(DataTypes.JSONB),
      at: clockTime(),
    },
    {
      sequelize,
      modelName: "EventTriggerHit",
      tableName: "event_trigger_hits",
    },
  );
