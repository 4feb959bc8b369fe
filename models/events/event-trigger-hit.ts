import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof EventTriggerHit =>
  class extends EventTriggerHit {}.init(
    {
      runId: primaryKeyColumn(DataTypes.INTEGER),
      phase: primaryKeyColumn(DataTypes.TEXT),
      source: primaryKeyColumn(DataTypes.TEXT),
      eventKey: primaryKeyColumn(DataTypes.TEXT),
      variables: requiredColumn(DataTypes.JSONB),
      at: clockTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventTriggerHit",
      tableName: "event_trigger_hits",
    },
  );
