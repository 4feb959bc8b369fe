import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import type { User } from "../auth/user.ts";
import { clockTime, identity, optional, required, unique, withDefault } from "../columns.ts";
import { clockAfter, clockNow } from "../queries/clock.ts";
import { computed } from "../queries/plain-rows.ts";
import type { Tie } from "../tie.ts";

export type ConfigWriteState = "reloading" | "settled" | "lost";

export type ConfigWriteOutcome = "ok" | "failed" | "rolled-back";

/** What the game told of a write that had been given up. */
export interface LateOutcome {
  readonly ok: boolean;
  /** By the clock of the game. */
  readonly at: string;
  readonly message: string | null;
  readonly logTail: readonly string[];
}

/** A write of a plugin's configuration. It stands before the game is told to do it. */
export class SurvivalConfigWrite extends Model<
  InferAttributes<SurvivalConfigWrite>,
  InferCreationAttributes<SurvivalConfigWrite>
> {
  declare id: CreationOptional<number>;
  declare writeId: string;
  declare serverId: number;
  declare plugin: string;
  declare file: string;
  /** One that is still `reloading` past its time is lost, whether a job has noted that or not. */
  declare state: CreationOptional<ConfigWriteState>;
  declare outcome: ConfigWriteOutcome | null;
  declare createdAt: CreationOptional<Date>;
  declare createdBy: number | null;
  declare settleBy: Date;
  declare settledAt: Date | null;
  declare beforeHash: string;
  declare writtenHash: string;
  declare afterHash: string | null;
  declare message: string | null;
  declare logTail: CreationOptional<string[]>;
  declare rollbackOf: string | null;
  declare lateOutcome: LateOutcome | null;
  declare requestHash: string;
  /** What stood in the file before, of the newest writes. */
  declare beforeSealed: string | null;
  /** What is covered in the log; null where that cannot be told, and then no log is kept. */
  declare secretsSealed: string | null;
  declare author?: NonAttribute<User | null>;

  /** A write past its time is lost before any job has noted that. */
  static readonly stateNow = computed<ConfigWriteState>(
    `case when "SurvivalConfigWrite"."state" = 'reloading'
      and "SurvivalConfigWrite"."settle_by" < clock_timestamp()
      then 'lost' else "SurvivalConfigWrite"."state" end`,
  );

  /** Takes back one of which its plugin has told nothing. @returns whether there was one */
  static async takeBackUntold(writeId: string, transaction: Transaction): Promise<boolean> {
    const gone = await this.scope("untold").destroy({ where: { writeId }, transaction });
    return gone > 0;
  }
}

/** Writes that were lost are news to staff for so long. */
const newsMs = 24 * 60 * 60 * 1_000;

export const ties: readonly Tie[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "author", foreignKey: "createdBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof SurvivalConfigWrite =>
  class extends SurvivalConfigWrite {}.init(
    {
      id: identity(DataTypes.BIGINT),
      writeId: unique(required(DataTypes.TEXT)),
      serverId: required(DataTypes.INTEGER),
      plugin: required(DataTypes.TEXT),
      file: required(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "reloading"),
      outcome: optional(DataTypes.TEXT),
      createdAt: clockTime(),
      createdBy: optional(DataTypes.INTEGER),
      settleBy: required(DataTypes.DATE),
      settledAt: optional(DataTypes.DATE),
      beforeHash: required(DataTypes.TEXT),
      writtenHash: required(DataTypes.TEXT),
      afterHash: optional(DataTypes.TEXT),
      message: optional(DataTypes.TEXT),
      logTail: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      rollbackOf: optional(DataTypes.TEXT),
      lateOutcome: optional(DataTypes.JSONB),
      requestHash: required(DataTypes.TEXT),
      beforeSealed: optional(DataTypes.TEXT),
      secretsSealed: optional(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalConfigWrite",
      tableName: "survival_config_writes",
      scopes: {
        untold: { where: { outcome: null, lateOutcome: null } },
        /** Those whose time passed within a day, whether a job has noted that or not. */
        lostLately: () => ({
          where: {
            state: ["reloading", "lost"],
            settleBy: { [Op.lt]: clockNow(), [Op.gt]: clockAfter(-newsMs) },
          },
        }),
      },
    },
  );
