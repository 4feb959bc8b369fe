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

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import { clockNowPlus, clockNow } from "../queries/clock.ts";
import { computeColumn } from "../queries/plain-rows.ts";

export type ConfigWriteState = "reloading" | "settled" | "lost";

export type ConfigWriteOutcome = "ok" | "failed" | "rolled-back";

/** The outcome of a write that arrived after its deadline. */
export interface LateWriteOutcome {
  readonly ok: boolean;
  /** Time of the outcome, by the clock of the game. */
  readonly at: string;
  readonly message: string | null;
  readonly logTail: readonly string[];
}

/** A write of a plugin's configuration. The row is stored before the game gets the request. */
export class SurvivalConfigWrite extends Model<
  InferAttributes<SurvivalConfigWrite>,
  InferCreationAttributes<SurvivalConfigWrite>
> {
  declare id: CreationOptional<number>;
  declare writeId: string;
  declare serverId: number;
  declare plugin: string;
  declare file: string;
  /** A write in the state `reloading` counts as lost after its deadline, even before a job marks it. */
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
  declare lateOutcome: LateWriteOutcome | null;
  declare requestHash: string;
  /** Encrypted former contents of the file, kept for the newest writes. */
  declare beforeSealed: string | null;
  /** Encrypted secrets that must be masked in the log; null if they are unknown, in which case no log is kept. */
  declare secretsSealed: string | null;
  declare author?: NonAttribute<User | null>;

  static readonly stateNow = computeColumn<ConfigWriteState>(
    `case when "SurvivalConfigWrite"."state" = 'reloading'
      and "SurvivalConfigWrite"."settle_by" < clock_timestamp()
      then 'lost' else "SurvivalConfigWrite"."state" end`,
  );

  /** Deletes a write without an outcome. @returns false if there was none */
  static async deleteUnsettled(writeId: string, transaction: Transaction): Promise<boolean> {
    const gone = await this.scope("untold").destroy({ where: { writeId }, transaction });
    return gone > 0;
  }
}

/** How long lost writes are reported to staff. */
const lostReportMs = 24 * 60 * 60 * 1_000;

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "author", foreignKey: "createdBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalConfigWrite =>
  class extends SurvivalConfigWrite {}.init(
    {
      id: identityColumn(DataTypes.BIGINT),
      writeId: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      serverId: requiredColumn(DataTypes.INTEGER),
      plugin: requiredColumn(DataTypes.TEXT),
      file: requiredColumn(DataTypes.TEXT),
      state: withDefault(DataTypes.TEXT, "reloading"),
      outcome: optionalColumn(DataTypes.TEXT),
      createdAt: clockTimeColumn(),
      createdBy: optionalColumn(DataTypes.INTEGER),
      settleBy: requiredColumn(DataTypes.DATE),
      settledAt: optionalColumn(DataTypes.DATE),
      beforeHash: requiredColumn(DataTypes.TEXT),
      writtenHash: requiredColumn(DataTypes.TEXT),
      afterHash: optionalColumn(DataTypes.TEXT),
      message: optionalColumn(DataTypes.TEXT),
      logTail: withDefault(DataTypes.ARRAY(DataTypes.TEXT), []),
      rollbackOf: optionalColumn(DataTypes.TEXT),
      lateOutcome: optionalColumn(DataTypes.JSONB),
      requestHash: requiredColumn(DataTypes.TEXT),
      beforeSealed: optionalColumn(DataTypes.TEXT),
      secretsSealed: optionalColumn(DataTypes.TEXT),
    },
    {
      sequelize,
      modelName: "SurvivalConfigWrite",
      tableName: "survival_config_writes",
      scopes: {
        untold: { where: { outcome: null, lateOutcome: null } },
        /** Writes that were lost within the last day, even if no job has marked them yet. */
        lostLately: () => ({
          where: {
            state: ["reloading", "lost"],
            settleBy: { [Op.lt]: clockNow(), [Op.gt]: clockNowPlus(-lostReportMs) },
          },
        }),
      },
    },
  );
