import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
  type Transaction,
} from "sequelize";

import {
  clockTimeColumn,
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  withDefault,
} from "../columns.ts";
import { clockNowPlus, clockNow } from "../queries/clock.ts";

/** Progress of a running job. */
export class JobProgress extends Model<
  InferAttributes<JobProgress>,
  InferCreationAttributes<JobProgress>
> {
  declare jobId: string;
  declare queue: string;
  declare phase: string;
  declare done: number;
  declare total: number | null;
  /** Unit of the count: `bytes`, `files` or `entries`. */
  declare unit: CreationOptional<string>;
  declare startedAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;

  /** Replaces the stored progress, but keeps the start time. */
  static async store(
    given: Pick<JobProgress, "jobId" | "queue" | "phase" | "done" | "total" | "unit">,
    transaction: Transaction,
  ): Promise<void> {
    await this.upsert({ ...given, updatedAt: clockNow() }, { transaction });
  }

  /** Deletes the progress of jobs whose last update is more than `ms` ago. */
  static async deleteOlderThan(ms: number): Promise<void> {
    await this.destroy({ where: { updatedAt: { [Op.lt]: clockNowPlus(-ms) } } });
  }
}

export const defineModel = (sequelize: Sequelize): typeof JobProgress =>
  class extends JobProgress {}.init(
    {
      jobId: primaryKeyColumn(DataTypes.UUID),
      queue: requiredColumn(DataTypes.TEXT),
      phase: requiredColumn(DataTypes.TEXT),
      done: requiredColumn(DataTypes.BIGINT),
      total: optionalColumn(DataTypes.BIGINT),
      unit: withDefault(DataTypes.TEXT, "entries"),
      startedAt: clockTimeColumn(),
      updatedAt: clockTimeColumn(),
    },
    { sequelize, modelName: "JobProgress", tableName: "job_progress" },
  );
