import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { primaryKeyColumn, optionalColumn } from "../columns.ts";

/** The last values that a survival server reported about itself. */
export class SurvivalServerState extends Model<
  InferAttributes<SurvivalServerState>,
  InferCreationAttributes<SurvivalServerState>
> {
  declare serverId: number;
  declare hello: Record<string, unknown> | null;
  declare status: Record<string, unknown> | null;
  declare map: Record<string, unknown> | null;
  /** Creation time of the server's world, in epoch milliseconds. */
  declare saveId: number | null;
  declare onlineSince: Date | null;
  declare lastSeenAt: Date | null;
  /** When the server last announced a link code together with its hash. */
  declare linkMintedAt: Date | null;
  /** When the server last announced a link code without a hash, as older plugins do. */
  declare linkUnhashedAt: Date | null;
  /** Creation time of a new world that was not announced yet. */
  declare untoldSaveId: number | null;
  declare untoldSince: Date | null;
}

export const associations: readonly ModelAssociation[] = [
  {
    owner: "SurvivalServer",
    as: "server",
    foreignKey: "serverId",
    rows: "state",
    isOne: true,
    onDelete: "CASCADE",
  },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalServerState =>
  class extends SurvivalServerState {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      hello: optionalColumn(DataTypes.JSONB),
      status: optionalColumn(DataTypes.JSONB),
      map: optionalColumn(DataTypes.JSONB),
      saveId: optionalColumn(DataTypes.BIGINT),
      onlineSince: optionalColumn(DataTypes.DATE),
      lastSeenAt: optionalColumn(DataTypes.DATE),
      linkMintedAt: optionalColumn(DataTypes.DATE),
      linkUnhashedAt: optionalColumn(DataTypes.DATE),
      untoldSaveId: optionalColumn(DataTypes.BIGINT),
      untoldSince: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalServerState", tableName: "survival_server_states" },
  );
