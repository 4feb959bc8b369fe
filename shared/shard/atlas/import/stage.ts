import { SourceFault } from "../../../imports/results/source-fault.ts";
import type { ImportRun } from "../../../imports/runs/run-import.ts";
import {
  addSums,
  emptySum,
  requireWhole,
  type StageSum,
} from "../../../imports/sources/stage-sum.ts";
import type { Context } from "../../../platform/context.ts";
import { copyTogether } from "../../../platform/db/copy.ts";
import type { Database } from "../../../platform/db/rows.ts";
import type { Sql } from "../../../platform/db/sql.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { BodyAnswer } from "../../calls/body-calls.ts";
import type { AtlasBatch } from "./batch.ts";
import {
  beginGeneration,
  copyRegions,
  copySpawners,
  deleteGeneration,
  insertCreatures,
  readCreatures,
  readGeneration,
  updateBodies,
} from "./stage-sql.ts";
import { AtlasTally } from "./tally.ts";

/** More regions, or spawners, than any world has. */
const maxRecords = 2_000_000;

/** Rows that are written at once, so that memory stays flat however long the source is. */
const rowsAtOnce = 1_000;

type Ground = Pick<Context, "sequelize" | "models">;

/** An atlas that is read into a generation of its own, beside the one that is shown. */
export class AtlasStage {
  readonly generation: number;
  readonly tally = new AtlasTally();
  readonly #ground: Ground;
  readonly #regions: AtlasRegion[] = [];
  readonly #spawners: AtlasSpawner[] = [];
  #written = { regions: 0, spawners: 0 };
  #sum = emptySum;
  /** Of the last rows: they are stored while the next are read. */
  #storing: Promise<void> = Promise.resolve();

  private constructor(generation: number, ground: Ground) {
    this.generation = generation;
    this.#ground = ground;
  }

  /** Begins anew, and removes what earlier attempts left behind. */
  static open({ whileHeld }: Pick<ImportRun, "whileHeld">, ground: Ground): Promise<AtlasStage> {
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

  /** Stores what is left, and waits until all of it is stored. */
  async finish(): Promise<void> {
    await this.#write(1);
    await this.#storing;
  }

  /** Stores the creatures with their bodies: those that are known, then what the shard answered. */
  async addCreatures(answers: readonly BodyAnswer[]): Promise<void> {
    const added = await inTransaction(this.#ground.sequelize, async (transaction) => {
      await insertCreatures(this.generation, this.tally.creatures.types(), transaction);
      await updateBodies(this.generation, answers, transaction);
      return readCreatures(this.generation, transaction);
    });
    this.#sum = addSums(this.#sum, added);
  }

  /** @throws when some of what was staged is not there: the disk was not waited for */
  async requireWhole(database: Database): Promise<void> {
    requireWhole("the atlas", this.#sum, await readGeneration(this.generation, database));
  }

  /**
   * Removes what was staged, unless it is shown. The swap may have been committed although its answer
   * was lost, so the database is asked, after waiting for a swap that is still under way.
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

  /** @param least fewer rows than this are kept for the next write */
  async #write(least: number): Promise<void> {
    const { generation } = this;
    const { models } = this.#ground;
    while (this.#regions.length >= least) {
      const regions = this.#regions.splice(0, rowsAtOnce);
      const rows = { generation, first: this.#written.regions, models };
      this.#written.regions += regions.length;
      await this.#store((sql) => copyRegions(regions, rows, sql));
    }
    while (this.#spawners.length >= least) {
      const spawners = this.#spawners.splice(0, rowsAtOnce);
      const rows = { generation, first: this.#written.spawners, models };
      this.#written.spawners += spawners.length;
      await this.#store((sql) => copySpawners(spawners, rows, sql));
    }
  }

  /** Waits for the rows before alone. */
  async #store(write: (sql: Sql) => Promise<StageSum>): Promise<void> {
    await this.#storing;
    this.#storing = this.#copy(write);
    // The next write awaits this one and meets its fault; until then the rejection counts as handled.
    this.#storing.catch(() => undefined);
  }

  async #copy(write: (sql: Sql) => Promise<StageSum>): Promise<void> {
    let written = emptySum;
    await copyTogether(this.#ground.sequelize, async (sql) => {
      written = await write(sql);
    });
    this.#sum = addSums(this.#sum, written);
  }
}
