import type { ImportRun } from "../../imports/runs/run-import.ts";
import { type AssetImage, findMaxImageKeys } from "../calls/asset-images.ts";
import { createPagedReadFault } from "../calls/link-source.ts";
import { insertPictures } from "./pictures.sql.ts";
import { fetchPictureSlice, type ShardAssets } from "./shard-assets.ts";
import type { AssetStage } from "./stage.ts";

export interface FetchTally {
  readonly fetched: number;
  readonly absent: number;
  readonly unsupported: number;
}

export const emptyFetchTally: FetchTally = { fetched: 0, absent: 0, unsupported: 0 };

interface FetchOptions extends Pick<ImportRun, "report" | "withLease"> {
  readonly total: number;
  /** Receives the running totals after each slice. */
  readonly onTally: (tally: FetchTally) => void;
}

/**
 * Fetches the pictures that are marked as wanted in the stage, slice by slice. Pictures are stored under their
 * content hash before any key shows them, so a retry requests only the missing pictures.
 */
export async function fetchWantedPictures(
  stage: AssetStage,
  shard: ShardAssets,
  { report, withLease: whileHeld, total, onTally }: FetchOptions,
): Promise<void> {
  let tally = emptyFetchTally;
  for (let after = "", done = 0; ;) {
    await report("images", done, total);
    const promised = await stage.nextWanted(after, findMaxImageKeys(shard.control));
    const keys = [...promised.keys()];
    if (keys.length === 0) return;
    const { images, absent, unsupported } = await fetchPictureSlice(keys, shard);
    requireCatalogHashes(images, promised, shard);
    await whileHeld((transaction) => insertPictures(images, transaction));
    tally = {
      fetched: tally.fetched + images.length,
      absent: tally.absent + absent.length,
      unsupported: tally.unsupported + unsupported.length,
    };
    onTally(tally);
    after = keys.at(-1) ?? "";
    done += keys.length;
  }
}

/** Rejects pictures whose hash differs from the catalog: later imports compare by these hashes. */
function requireCatalogHashes(
  images: readonly AssetImage[],
  promised: ReadonlyMap<string, string>,
  { names }: ShardAssets,
): void {
  const other = images.find(({ key, sha256 }) => promised.get(key) !== sha256);
  if (other) {
    throw createPagedReadFault(
      "MALFORMED",
      `the picture ${other.key} has another hash than in the shard's list`,
      names,
    );
  }
}
