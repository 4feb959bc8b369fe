import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTimeColumn, identityColumn, optionalColumn, requiredColumn } from "../columns.ts";

/** A frame that ingest refused, with the reason. */
export class RejectedFrame extends Model<
  InferAttributes<RejectedFrame>,
  InferCreationAttributes<RejectedFrame>
> {
  declare id: CreationOptional<number>;
  declare source: string;
  declare at: CreationOptional<Date>;
  declare reason: string;
  declare kind: string | null;
  declare excerpt: string;
  /** Details that the reason does not contain. */
  declare detail: string | null;
}

export const defineModel = (sequelize: Sequelize): typeof RejectedFrame =>
  class extends RejectedFrame {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      source: requiredColumn(DataTypes.TEXT),
      at: clockTimeColumn(),
      reason: requiredColumn(DataTypes.TEXT),
      kind: optionalColumn(DataTypes.TEXT),
      excerpt: requiredColumn(DataTypes.TEXT),
      detail: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "RejectedFrame", tableName: "rejected_frames" },
  );
