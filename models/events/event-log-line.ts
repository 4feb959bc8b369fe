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
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  withDefault,
} from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof EventLogLine =>
  class extends EventLogLine {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      runId: requiredColumn(DataTypes.INTEGER),
      stepId: optionalColumn(DataTypes.INTEGER),
      phase: optionalColumn(DataTypes.TEXT),
      kind: requiredColumn(DataTypes.TEXT),
      detail: withDefault(DataTypes.JSONB, {}),
      at: clockTimeColumn(),
    },
    {
      sequelize,
      modelName: "EventLogLine",
      tableName: "event_log_lines",
    },
  );
