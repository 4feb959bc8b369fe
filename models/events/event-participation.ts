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
import { clockTimeColumn, identityColumn, requiredColumn } from "../columns.ts";
import type { EventRun } from "./event-run.ts";

export interface EventReward {
  readonly kit: string;
  readonly count: number;
}

/** A user who took part in a run. */
export class EventParticipation extends Model<
  InferAttributes<EventParticipation>,
  InferCreationAttributes<EventParticipation>
> {
  declare id: CreationOptional<number>;
  declare runId: number;
  declare userId: number;
  declare at: CreationOptional<Date>;
  declare rewards: readonly EventReward[];
  declare run?: NonAttribute<EventRun>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  { owner: "EventRun", as: "run", foreignKey: "runId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof EventParticipation =>
  class extends EventParticipation {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      runId: requiredColumn(DataTypes.INTEGER),
      userId: requiredColumn(DataTypes.INTEGER),
      at: clockTimeColumn(),
      rewards: requiredColumn(DataTypes.JSONB),
    },
    {
      sequelize,
      modelName: "EventParticipation",
      tableName: "event_participations",
      indexes: [{ unique: true, fields: ["run_id", "user_id"] }],
    },
  );
