import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { clockTimeColumn, primaryKeyColumn, optionalColumn, withDefault } from "../columns.ts";
import { clockNowPlus } from "../queries/clock.ts";
import type { SurvivalServer } from "./survival-server.ts";

/**
 * `waiting`: a push is due soon. `pushing`: a push is in progress, or its outcome has not arrived. `offline` and
 * `unsupported`: the push waits until the server is connected again, or has the capability.
 */
export type SyncState = "waiting" | "pushing" | "clean" | "failed" | "offline" | "unsupported";

/** The state of pushing one kind of data, such as permissions, to a game server. */
export class SurvivalSync extends Model<
  InferAttributes<SurvivalSync>,
  InferCreationAttributes<SurvivalSync>
> {
  declare serverId: number;
  declare name: string;
  /** Incremented by each request for a push. While `pushed` is lower, the server is outdated. */
  declare asked: CreationOptional<number>;
  declare pushed: CreationOptional<number>;
  declare askedAt: CreationOptional<Date>;
  declare state: CreationOptional<SyncState>;
  /** Reason of the last request. */
  declare reason: string | null;
  declare error: string | null;
  /** Failures since the last success. */
  declare tries: CreationOptional<number>;
  /** Reference of the push in progress. */
  declare ref: string | null;
  declare covers: CreationOptional<number>;
  declare busyUntil: Date | null;
  declare retryAt: Date | null;
  declare lastPushAt: Date | null;
  declare lastOkAt: Date | null;
  declare server?: NonAttribute<SurvivalServer>;

  /** Extends the wait for a push's outcome to `ms` from now, unless the push has ended. */
  static async awaitOutcome(
    { serverId, name, ref }: Pick<SurvivalSync, "serverId" | "name"> & { readonly ref: string },
    ms: number,
    transaction: Transaction,
  ): Promise<void> {
    const where = { serverId, name, ref, state: "pushing" } as const;
    await this.update({ busyUntil: clockNowPlus(ms) }, { where, transaction });
  }
}

export const associations: readonly ModelAssociation[] = [
  {
    owner: "SurvivalServer",
    as: "server",
    foreignKey: "serverId",
    rows: "pushes",
    onDelete: "CASCADE",
  },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalSync =>
  class extends SurvivalSync {}.init(
    {
      serverId: primaryKeyColumn(DataTypes.INTEGER),
      name: primaryKeyColumn(DataTypes.TEXT),
      asked: withDefault(DataTypes.INTEGER, 1),
      pushed: withDefault(DataTypes.INTEGER, 0),
      askedAt: clockTimeColumn(),
      state: withDefault(DataTypes.TEXT, "waiting"),
      reason: optionalColumn(DataTypes.TEXT),
      error: optionalColumn(DataTypes.TEXT),
      tries: withDefault(DataTypes.INTEGER, 0),
      ref: optionalColumn(DataTypes.TEXT),
      covers: withDefault(DataTypes.INTEGER, 0),
      busyUntil: optionalColumn(DataTypes.DATE),
      retryAt: optionalColumn(DataTypes.DATE),
      lastPushAt: optionalColumn(DataTypes.DATE),
      lastOkAt: optionalColumn(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalPush", tableName: "survival_pushes" },
  );
