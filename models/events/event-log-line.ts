import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, identity, optional, required, withDefault } from "../columns.ts";

export class EventLogLine extends Model<
  InferAttributes<EventLogLine>,
  InferCreationAttributes<EventLogLine>
> {
  declare id: CreationOptional<number>;
  declare runId: number;
  declare stepId: number | null;
  declare phase: string | null;
  declare kind: string;
  declare detail: CreationOptional<Record<string, unknown>>;
  declare at: CreationOptional<Date>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "EventStep", as: "step", foreignKey: "stepId", onDelete: "CASCADE" },
  { owner: "EventRun", as: "run", foreignKey: "runId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof EventLogLine =>
  class extends EventLogLine {}.init(
    {
      id: identity(DataTypes.BIGINT),
      runId: required(DataTypes.INTEGER),
      stepId: optional(DataTypes.INTEGER),
      phase: optional(DataTypes.TEXT),
      kind: required(DataTypes.TEXT),
      detail: withDefault(DataTypes.JSONB, {}),
      at: clockTime(),
    },
    {
      sequelize,
      modelName: "EventLogLine",
      tableName: "event_log_lines",
    },
  );
