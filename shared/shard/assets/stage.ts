import type { Sequelize } from "sequelize";

import { SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import {
  addChecksums,
  emptyChecksum,
  requireCompleteStage,
} from "../../imports/sources/stage-checksum.ts";
import type { Database } from "../../platform/db/rows.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import type { AssetRow } from "../calls/asset-calls.ts";
import type { CreatureBodyAnswer } from "../calls/body-calls.ts";
import {
  beginStage,
  deleteStage,
  findVanishedKeys,
  findWantedPictures,
  insertBodies,
  insertKeys,
  markWantedPictures,
  computeStageChecksum,
  type PictureSelection,
} from "./stage.sql.ts";

/** A catalog that is being imported while the previous one is shown. */
export class AssetStage {
  readonly id: number;
  readonly #sequelize: Sequelize;
  #written = emptyChecksum;

  private constructor(id: number, sequelize: Sequelize) {
    this.id = id;
    this.#sequelize = sequelize;
  }

  static open(
    { withLease: whileHeld }: Pick<ImportRun, "withLease">,
    sequelize: Sequelize,
  ): Promise<AssetStage> {
    return whileHeld(async (transaction) => {
      return new AssetStage(await beginStage(transaction), sequelize);
    });
  }

  /**
   * Stages keys.
   * @throws {SourceFault} MALFORMED if a key occurs twice, which the total number of keys does not always reveal
   */
  async addKeys(keys: readonly AssetRow[]): Promise<void> {
    const added = await insertKeys(this.id, keys, this.#sequelize);
    if (added.count !== keys.length) {
      throw new SourceFault("MALFORMED", "The shard's list contains a key twice");
    }
    this.#written = addChecksums(this.#written, added);
  }

  async addBodies(answers: readonly CreatureBodyAnswer[]): Promise<void> {
    const added = await insertBodies(this.id, answers, this.#sequelize);
    this.#written = addChecksums(this.#written, added);
  }

  /** @throws if staged rows are missing */
  async requireWhole(database: Database): Promise<void> {
    requireCompleteStage("pictures", this.#written, await computeStageChecksum(this.id, database));
  }

  findVanished(): Promise<string[]> {
    return inSnapshot(this.#sequelize, async (transaction) => {
      await this.requireWhole(transaction);
      const vanished = await findVanishedKeys(this.id, transaction);
      return vanished.map(({ key }) => key);
    });
  }

  markWanted(wish: PictureSelection): Promise<number> {
    return markWantedPictures(this.id, wish, this.#sequelize);
  }

  /** Returns the next pictures to fetch: hash by key. */
  async nextWanted(after: string, limit: number): Promise<Map<string, string>> {
    const wanted = await findWantedPictures(this.id, { after, limit }, this.#sequelize);
    return new Map(wanted.map(({ key, sha256 }) => [key, sha256]));
  }

  close(): Promise<void> {
    return deleteStage(this.id, this.#sequelize);
  }
}
