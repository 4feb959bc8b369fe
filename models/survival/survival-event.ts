import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTime, identity, optional, required } from "../columns.ts";

export class SurvivalEvent extends Model<
  InferAttributes<SurvivalEvent>,
  InferCreationAttributes<SurvivalEvent>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare epoch: string;
  declare seq: number;
  declare eventKey: string | null;
  declare bootId: string | null;
  declare saveId: number | null;
  declare kind: string;
  /** Epoch milliseconds. */
  declare t: number;
  declare payload: Record<string, unknown>;
  declare createdAt: CreationOptional<Date>;
  /** When staff hid the event from the feed. */
  declare hiddenAt: Date | null;
  declare hiddenBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "hider", foreignKey: "hiddenBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalEvent =>
  class extends SurvivalEvent {}.init(
    {
      id: identity(DataTypes.BIGINT),
      serverId: required(DataTypes.INTEGER),
      epoch: required(DataTypes.TEXT),
      seq: required(DataTypes.BIGINT),
      eventKey: optional(DataTypes.TEXT),
      bootId: optional(DataTypes.TEXT),
      saveId: optional(DataTypes.BIGINT),
      kind: required(DataTypes.TEXT),
      t: required(DataTypes.BIGINT),
      payload: required(DataTypes.JSONB),
      createdAt: clockTime(),
      hiddenAt: optional(DataTypes.DATE),
      hiddenBy: optional(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalEvent",
      tableName: "survival_events",
      indexes: [{ unique: true, fields: ["server_id", "epoch", "seq"] }],
    },
  );
