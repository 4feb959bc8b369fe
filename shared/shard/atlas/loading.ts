import type { Sequelize } from "sequelize";

import { type Sql, sqlOf } from "../../db/sql.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import type { AtlasRegion, AtlasSpawner } from "../sources/atlas-records.ts";
import { FacetNames } from "./facet-names.ts";
import { RegionIndex } from "./region-index.ts";
import type { AtlasSink } from "./sink.ts";
import { AtlasTally } from "./tally.ts";
import { insertRegions, insertSpawners } from "./write-rows.ts";

/** More of either than any world has. */
const maxRecords = 2_000_000;

/** Rows that are written at once, so that memory stays flat however long the source is. */
const batchSize = 1_000;

/** An atlas that is being read into a generation of its own, beside the one that is shown. */
export class AtlasLoading {
  readonly generation: number;
  readonly tally = new AtlasTally();
  readonly #sequelize: Sequelize;
  readonly #namesPlaces: boolean;
  #regions: AtlasRegion[] = [];
  #index = new RegionIndex([]);
  #spawners: AtlasSpawner[] = [];
  #written = { regions: 0, spawners: 0 };
  /** Of the last batch of spawners: it is stored while the next is read. */
  #storing: Promise<void> = Promise.resolve();

  /** What parsers write to; `flush` puts it into the tables. */
  readonly sink: AtlasSink = {
    facets: new FacetNames(),
    region: (region) => {
      this.#regions.push(region);
      this.tally.addRegion(region);
    },
    spawner: (spawner) => {
      this.#spawners.push(spawner);
      this.tally.addSpawner(spawner);
    },
    skip: () => {
      this.tally.skipped += 1;
    },
    warn: () => {
      this.tally.warnings += 1;
    },
  };

  private constructor(generation: number, namesPlaces: boolean, sequelize: Sequelize) {
    this.generation = generation;
    this.#namesPlaces = namesPlaces;
    this.#sequelize = sequelize;
  }

  /**
   * Begins, and removes what earlier attempts left behind.
   * @param namesPlaces whether regions are to be found for spawners; else the source has done it
   */
  static begin(
    namesPlaces: boolean,
    { whileHeld }: Pick<ImportRun, "whileHeld">,
    sequelize: Sequelize,
  ): Promise<AtlasLoading> {
    return whileHeld(async (sql) => {
      for (const table of atlasTables) {
        await sql.query(
          `delete from ${table} where generation <> (select generation from atlas_state)`,
        );
      }
      const { rows } = await sql.query<{ generation: number }>(
        "select nextval('atlas_generations')::integer as generation",
      );
      return new AtlasLoading(rows[0]?.generation ?? 0, namesPlaces, sequelize);
    });
  }

  /** All regions are known: from now on spawners can be placed in them. */
  async finishRegions(): Promise<void> {
    if (this.#namesPlaces) this.#index = new RegionIndex(this.#regions);
    await this.#writeRegions();
  }

  /** Writes what has gathered. @param isLast also what fills no batch, and to its end */
  async flush(isLast = false): Promise<void> {
    const total = this.#written.regions + this.#written.spawners + this.#spawners.length;
    if (total > maxRecords) throw new SourceFault("TOO_LARGE", `more than ${maxRecords} records`);
    if (!this.#namesPlaces) await this.#writeRegions();
    while (this.#spawners.length >= (isLast ? 1 : batchSize)) {
      const batch = this.#spawners.splice(0, batchSize).map((spawner) => this.#place(spawner));
      const rows = { generation: this.generation, first: this.#written.spawners };
      await this.#storing;
      this.#storing = this.#store((sql) => insertSpawners(batch, rows, sql));
      this.#written.spawners += batch.length;
    }
    if (isLast) await this.#storing;
  }

  /**
   * Tells the planner what was read. By statistics of earlier generations this one holds no row,
   * and the joins over it are made row by row: what takes milliseconds then takes minutes.
   */
  async analyze(): Promise<void> {
    await this.#sequelize.query(`analyze ${joined.join(", ")}`);
  }

  /**
   * Forgets what was read, unless it is shown: the swap may have gone through although the database
   * was not heard to say so, and one that is still under way is waited for.
   */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#storing]);
    await inTransaction(this.#sequelize, async (transaction) => {
      const sql = sqlOf(transaction);
      const { rows } = await sql.query<{ generation: number }>(
        "select generation from atlas_state for share",
      );
      if (rows[0]?.generation === this.generation) return;
      for (const table of atlasTables) {
        await sql.query(`delete from ${table} where generation = $1`, [this.generation]);
      }
    });
  }

  #place(spawner: AtlasSpawner): AtlasSpawner {
    if (!this.#namesPlaces || spawner.region !== null) return spawner;
    return { ...spawner, region: this.#index.nameAt(spawner.facet, spawner) };
  }

  #store(write: (sql: Sql) => Promise<void>): Promise<void> {
    const stored = inTransaction(this.#sequelize, (transaction) => write(sqlOf(transaction)));
    // Whoever waits for it hears of a fault, and nobody may wait before it happens.
    stored.catch(() => undefined);
    return stored;
  }

  async #writeRegions(): Promise<void> {
    while (this.#regions.length > 0) {
      const batch = this.#regions.splice(0, batchSize);
      const rows = { generation: this.generation, first: this.#written.regions };
      await this.#store((sql) => insertRegions(batch, rows, sql));
      this.#written.regions += batch.length;
    }
  }
}

/** Every table whose rows carry a generation. */
export const atlasTables = [
  "atlas_facets",
  "atlas_regions",
  "atlas_rects",
  "atlas_spawners",
  "atlas_entries",
  "atlas_creatures",
] as const;

/** What reads join and choose by; the database looks at other columns in its own time. */
const joined = [
  "atlas_regions (generation, id, facet)",
  "atlas_rects (generation, region_id)",
  "atlas_spawners (generation, id, facet)",
  "atlas_entries (generation, spawner_id, type_key)",
];
