import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import {
  addChecksums,
  emptyChecksum,
  requireCompleteStage,
  type StageChecksum,
} from "../../../imports/sources/stage-checksum.ts";
import type { Context } from "../../../platform/context.ts";
import { copyInTransaction } from "../../../platform/db/copy.ts";
import type { Database } from "../../../platform/db/rows.ts";
import type { SqlClient } from "../../../platform/db/sql.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { CreatureBodyAnswer } from "../../calls/body-calls.ts";
import type { AtlasBatch } from "./batch.ts";
import {
  beginGeneration,
  insertRegions,
  insertSpawners,
  deleteGeneration,
  insertCreatures,
  computeCreatureChecksum,
  computeGenerationChecksum,
  updateBodies,
} from "./stage.sql.ts";
import { AtlasTally } from "./tally.ts";

/** The maximum number of records. No real world has as many. */
const maxRecords = 2_000_000;

/** Number of rows per write, which bounds the memory for a source of any size. */
const rowsAtOnce = 1_000;

type StageContext = Pick<Context, "sequelize" | "models">;

/** An atlas that is being imported into its own generation while another one is shown. */
export class AtlasStage {
  readonly generation: number;
  readonly tally = new AtlasTally();
  readonly #ground: StageContext;
  readonly #regions: AtlasRegion[] = [];
  readonly #spawners: AtlasSpawner[] = [];
  #written = { regions: 0, spawners: 0 };
  #sum = emptyChecksum;
  /** The last write, which runs while the next rows are read. */
  #storing: Promise<void> = Promise.resolve();

  private constructor(generation: number, ground: StageContext) {
    this.generation = generation;
    this.#ground = ground;
  }

  static open(
    { withLease: whileHeld }: Pick<ImportRun, "withLease">,
    ground: StageContext,
  ): Promise<AtlasStage> {
    return whileHeld(
      async (transaction) => new AtlasStage(await beginGeneration(transaction), ground),
    );
  }

  /** @throws {SourceFault} TOO_LARGE */
  async add(batch: AtlasBatch): Promise<void> {
    this.tally.add(batch);
    if (this.tally.records > maxRecords) {
      throw new SourceFault("TOO_LARGE", `more than ${maxRecords} records`);
    }
    for (const region of batch.regions) this.#regions.push(region);
    for (const spawner of batch.spawners) this.#spawners.push(spawner);
    await this.#write(rowsAtOnce);
  }

  /** Writes the remaining rows and waits for all writes. */
  async finish(): Promise<void> {
    await this.#write(1);
    await this.#storing;
  }

  /** Stores the creatures with the bodies that were known before, then the bodies that the shard answered. */
  async addCreatures(answers: readonly CreatureBodyAnswer[]): Promise<void> {
    const added = await inTransaction(this.#ground.sequelize, async (transaction) => {
      await insertCreatures(this.generation, this.tally.creatures.types(), transaction);
      await updateBodies(this.generation, answers, transaction);
      return computeCreatureChecksum(this.generation, transaction);
    });
    this.#sum = addChecksums(this.#sum, added);
  }

  /** @throws if staged rows are missing: commits of staged rows do not wait for the disk, so a crash loses them */
  async requireWhole(database: Database): Promise<void> {
    requireCompleteStage(
      "the atlas",
      this.#sum,
      await computeGenerationChecksum(this.generation, database),
    );
  }

  /**
   * Deletes the stage unless it is shown, which only the database knows: a swap may be committed although its
   * answer was lost. The lock waits for a swap that is still running.
   */
  async close(): Promise<void> {
    const { sequelize, models } = this.#ground;
    await Promise.allSettled([this.#storing]);
    await inTransaction(sequelize, async (transaction) => {
      const lock = transaction.LOCK.SHARE;
      const { generation } = await models.AtlasState.read({ transaction, lock });
      if (generation !== this.generation) await deleteGeneration(this.generation, transaction);
    });
  }

  /** Writes collected records. @param least minimum number of records; fewer are left for a later write */
  async #write(least: number): Promise<void> {
    const { generation } = this;
    const { models } = this.#ground;
    while (this.#regions.length >= least) {
      const regions = this.#regions.splice(0, rowsAtOnce);
      const rows = { generation, first: this.#written.regions, models };
      this.#written.regions += regions.length;
      await this.#store((sql) => insertRegions(regions, rows, sql));
    }
    while (this.#spawners.length >= least) {
      const spawners = this.#spawners.splice(0, rowsAtOnce);
      const rows = { generation, first: this.#written.spawners, models };
      this.#written.spawners += spawners.length;
      await this.#store((sql) => insertSpawners(spawners, rows, sql));
    }
  }

  /** Starts a write after the previous one has ended, and does not wait for the new one. */
  async #store(write: (sql: SqlClient) => Promise<StageChecksum>): Promise<void> {
    await this.#storing;
    this.#storing = this.#copy(write);
    // The next write awaits this one and throws its error; this handler prevents an unhandled rejection.
    this.#storing.catch(() => undefined);
  }

  async #copy(write: (sql: SqlClient) => Promise<StageChecksum>): Promise<void> {
    let written = emptyChecksum;
    await copyInTransaction(this.#ground.sequelize, async (sql) => {
      written = await write(sql);
    });
    this.#sum = addChecksums(this.#sum, written);
  }
}
