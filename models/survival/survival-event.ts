import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, identityColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof SurvivalEvent =>
  class extends SurvivalEvent {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      serverId: requiredColumn(DataTypes.INTEGER),
      epoch: requiredColumn(DataTypes.TEXT),
      seq: requiredColumn(DataTypes.BIGINT),
      eventKey: optionalColumn(DataTypes.TEXT),
      bootId: optionalColumn(DataTypes.TEXT),
      saveId: optionalColumn(DataTypes.BIGINT),
      kind: requiredColumn(DataTypes.TEXT),
      t: requiredColumn(DataTypes.BIGINT),
      payload: requiredColumn(DataTypes.JSONB),
      createdAt: clockTimeColumn(),
      hiddenAt: optionalColumn(DataTypes.DATE),
      hiddenBy: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalEvent",
      tableName: "survival_events",
      indexes: [{ unique: true, fields: ["server_id", "epoch", "seq"] }],
    },
  );
