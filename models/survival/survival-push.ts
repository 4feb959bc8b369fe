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

import { clockTime, key, optional, withDefault } from "../columns.ts";
import { clockAfter } from "../queries/clock.ts";
import type { Tie } from "../tie.ts";
import type { SurvivalServer } from "./survival-server.ts";

/**
 * `waiting`: something is to be pushed soon. `pushing`: it is under way, or the server has not said
 * yet what came of it. `offline` and `unsupported` wait until the server is back, or able to.
 */
export type PushState = "waiting" | "pushing" | "clean" | "failed" | "offline" | "unsupported";

/** What a game server must be told of one sort, and how far it was. */
export class SurvivalPush extends Model<
  InferAttributes<SurvivalPush>,
  InferCreationAttributes<SurvivalPush>
> {
  declare serverId: number;
  declare name: string;
  /** Counted up with each change; the server lacks something while fewer are pushed. */
  declare asked: CreationOptional<number>;
  declare pushed: CreationOptional<number>;
  declare askedAt: CreationOptional<Date>;
  declare state: CreationOptional<PushState>;
  /** Why it was asked for last. */
  declare reason: string | null;
  declare error: string | null;
  /** Without success since the last one. */
  declare tries: CreationOptional<number>;
  /** Of the push under way. */
  declare ref: string | null;
  declare covers: CreationOptional<number>;
  declare busyUntil: Date | null;
  declare retryAt: Date | null;
  declare lastPushAt: Date | null;
  declare lastOkAt: Date | null;
  declare server?: NonAttribute<SurvivalServer>;

  /** Gives the server so long to say what came of a push, unless that is over. */
  static async awaitOutcome(
    { serverId, name, ref }: Pick<SurvivalPush, "serverId" | "name"> & { readonly ref: string },
    ms: number,
    transaction: Transaction,
  ): Promise<void> {
    const where = { serverId, name, ref, state: "pushing" } as const;
    await this.update({ busyUntil: clockAfter(ms) }, { where, transaction });
  }
}

export const ties: readonly Tie[] = [
  {
    owner: "SurvivalServer",
    as: "server",
    foreignKey: "serverId",
    rows: "pushes",
    onDelete: "CASCADE",
  },
];

export const define = (sequelize: Sequelize): typeof SurvivalPush =>
  class extends SurvivalPush {}.init(
    {
      serverId: key(DataTypes.INTEGER),
      name: key(DataTypes.TEXT),
      asked: withDefault(DataTypes.INTEGER, 1),
      pushed: withDefault(DataTypes.INTEGER, 0),
      askedAt: clockTime(),
      state: withDefault(DataTypes.TEXT, "waiting"),
      reason: optional(DataTypes.TEXT),
      error: optional(DataTypes.TEXT),
      tries: withDefault(DataTypes.INTEGER, 0),
      ref: optional(DataTypes.TEXT),
      covers: withDefault(DataTypes.INTEGER, 0),
      busyUntil: optional(DataTypes.DATE),
      retryAt: optional(DataTypes.DATE),
      lastPushAt: optional(DataTypes.DATE),
      lastOkAt: optional(DataTypes.DATE),
    },
    { sequelize, modelName: "SurvivalPush", tableName: "survival_pushes" },
  );
