import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
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
import { insertRowOnce } from "../queries/insert-once.ts";

/** One run of an import, from request to result. Each kind and subject has at most one unfinished run. */
export class ImportRun extends Model<
  InferAttributes<ImportRun>,
  InferCreationAttributes<ImportRun>
> {
  declare jobId: string;
  declare kind: string;
  /** The survival server of the import, for kinds that are imported per server. */
  declare subject: CreationOptional<number | null>;
  declare flags: Record<string, unknown>;
  declare askedAt: CreationOptional<Date>;
  declare result: CreationOptional<Record<string, unknown> | null>;
  declare finishedAt: CreationOptional<Date | null>;
  /** The rows whose removal an administrator must approve; null if none must be approved. */
  declare loss: CreationOptional<string[] | null>;
  /** Number of attempts of the run's job. Only the last attempt may finish the run. */
  declare attempt: CreationOptional<number>;

  /** @returns false, without inserting, while another run of the kind and subject is unfinished */
  static async insertIfIdle(
    given: Pick<ImportRun, "jobId" | "kind" | "subject" | "flags">,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await insertRowOnce(this, { ...given }, transaction)) !== null;
  }

  /** @returns the number of the attempt; null if the run is finished and did not fail */
  static async beginAttempt(jobId: string): Promise<number | null> {
    const [, [taken]] = await this.update(
      { attempt: literal("attempt + 1"), result: null, finishedAt: null },
      { where: { jobId, [Op.or]: [{ finishedAt: null }, isFailedAndRetryable] }, returning: true },
    );
    return taken?.attempt ?? null;
  }

  /** Locks the run of an attempt. @returns false if another attempt holds the lease or the run is finished */
  static async lockForAttempt(
    { jobId, attempt }: ImportAttempt,
    toFinish: boolean,
    transaction: Transaction,
  ): Promise<boolean> {
    const held = await this.scope("unfinished").findOne({
      attributes: ["jobId"],
      where: { jobId, attempt },
      transaction,
      lock: toFinish ? transaction.LOCK.NO_KEY_UPDATE : transaction.LOCK.SHARE,
    });
    return held !== null;
  }

  /** @returns false if another attempt holds the lease, or the run is finished */
  static async finishAttempt(
    { jobId, attempt }: ImportAttempt,
    { result, loss }: ImportOutcome,
    transaction: Transaction,
  ): Promise<boolean> {
    const [count] = await this.scope("unfinished").update(
      { result: { ...result }, loss: loss && [...loss], finishedAt: clockNow() },
      { where: { jobId, attempt }, transaction },
    );
    return count > 0;
  }

  /** Locks and returns the unfinished run of a job, whichever attempt holds it. */
  static lockUnfinished(jobId: string, transaction: Transaction): Promise<ImportRun | null> {
    const lock = transaction.LOCK.UPDATE;
    return this.scope("unfinished").findOne({ where: { jobId }, transaction, lock });
  }

  /** Returns the removals that the newest finished run asked an administrator to approve, if any. */
  static async findAskedRemovals(kind: string, subject: number | null): Promise<readonly string[]> {
    const newest = await this.findOne({
      attributes: ["loss"],
      where: { kind, subject, finishedAt: { [Op.ne]: null }, [Op.and]: isComplete },
      order: [["finishedAt", "DESC"]],
    });
    return newest?.loss ?? [];
  }

  static findUnfinished(kind: string, subject: number | null): Promise<ImportRun | null> {
    return this.scope("unfinished").findOne({ where: { kind, subject } });
  }

  /** Deletes runs that finished more than `ms` ago. */
  static async deleteOlderThan(ms: number): Promise<void> {
    await this.destroy({ where: { finishedAt: { [Op.lt]: clockNowPlus(-ms) } } });
  }
}

export interface ImportOutcome {
  readonly result: object;
  readonly loss: readonly string[] | null;
}

export interface ImportAttempt {
  readonly jobId: string;
  readonly attempt: number;
}

/** A retried job restarts a failed run, unless another run of the kind and subject is unfinished. */
const isFailedAndRetryable = literal(`(result ->> 'status' = 'failed' and not exists (
  select from import_runs other where other.kind = import_runs.kind
    and other.subject is not distinct from import_runs.subject and other.finished_at is null))`);

const isComplete = literal("result ->> 'status' in ('imported', 'unchanged', 'needsReview')");

export const defineModel = (sequelize: Sequelize): typeof ImportRun =>
  class extends ImportRun {}.init(
    {
      jobId: primaryKeyColumn(DataTypes.UUID),
      kind: requiredColumn(DataTypes.TEXT),
      subject: optionalColumn(DataTypes.INTEGER),
      flags: requiredColumn(DataTypes.JSONB),
      askedAt: clockTimeColumn(),
      result: optionalColumn(DataTypes.JSONB),
      finishedAt: optionalColumn(DataTypes.DATE),
      attempt: withDefault(DataTypes.INTEGER, 0),
      loss: optionalColumn(DataTypes.JSONB),
    },
    {
      sequelize,
      modelName: "ImportRun",
      tableName: "import_runs",
      scopes: {
        unfinished: { where: { finishedAt: null } },
        /** Runs that have stored their data. */
        endedWell: {
          where: { [Op.and]: literal("result ->> 'status' in ('imported', 'unchanged')") },
        },
      },
    },
  );
