import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { clockTime, identity, optional, required } from "../columns.ts";

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

export const define = (sequelize: Sequelize): typeof RejectedFrame =>
  class extends RejectedFrame {}.init(
    {
      id: identity(DataTypes.BIGINT),
      source: required(DataTypes.TEXT),
      at: clockTime(),
      reason: required(DataTypes.TEXT),
      kind: optional(DataTypes.TEXT),
      excerpt: required(DataTypes.TEXT),
      detail: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "RejectedFrame", tableName: "rejected_frames" },
  );
