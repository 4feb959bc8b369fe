import type { Sequelize } from "sequelize";

import { SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { addSums, emptySum, requireWhole } from "../../imports/sources/stage-sum.ts";
import type { Database } from "../../platform/db/rows.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import type { AssetRow } from "../calls/asset-calls.ts";
import type { BodyAnswer } from "../calls/body-calls.ts";
import {
  beginStage,
  deleteStage,
  findVanished,
  findWanted,
  insertBodies,
  insertKeys,
  markWanted,
  readStage,
  type Wish,
} from "./stage-sql.ts";

/** A catalogue that is being read, beside the one that is shown. */
export class AssetStage {
  readonly id: number;
  readonly #sequelize: Sequelize;
  #written = emptySum;

  private constructor(id: number, sequelize: Sequelize) {
    this.id = id;
    this.#sequelize = sequelize;
  }

  /** Begins anew, and removes what earlier attempts left behind. */
  static open(
    { whileHeld }: Pick<ImportRun, "whileHeld">,
    sequelize: Sequelize,
  ): Promise<AssetStage> {
    return whileHeld(async (transaction) => {
      return new AssetStage(await beginStage(transaction), sequelize);
    });
  }

  /** @throws {SourceFault} MALFORMED when a key comes twice, which the count of keys alone may hide */
  async addKeys(keys: readonly AssetRow[]): Promise<void> {
    const added = await insertKeys(this.id, keys, this.#sequelize);
    if (added.count !== keys.length) throw new SourceFault("MALFORMED", "A key came twice");
    this.#written = addSums(this.#written, added);
  }

  async addBodies(answers: readonly BodyAnswer[]): Promise<void> {
    const added = await insertBodies(this.id, answers, this.#sequelize);
    this.#written = addSums(this.#written, added);
  }

  /** @throws when some of what was staged is not there */
  async requireWhole(database: Database): Promise<void> {
    requireWhole("pictures", this.#written, await readStage(this.id, database));
  }

  /** Keys of the catalogue that is shown which did not come. */
  findVanished(): Promise<string[]> {
    return inSnapshot(this.#sequelize, async (transaction) => {
      await this.requireWhole(transaction);
      const vanished = await findVanished(this.id, transaction);
      return vanished.map(({ key }) => key);
    });
  }

  /** Marks the pictures to fetch. @returns how many */
  markWanted(wish: Wish): Promise<number> {
    return markWanted(this.id, wish, this.#sequelize);
  }

  /** The next pictures to fetch, each with the hash the catalogue promises. */
  async nextWanted(after: string, limit: number): Promise<Map<string, string>> {
    const wanted = await findWanted(this.id, { after, limit }, this.#sequelize);
    return new Map(wanted.map(({ key, sha256 }) => [key, sha256]));
  }

  close(): Promise<void> {
    return deleteStage(this.id, this.#sequelize);
  }
}
