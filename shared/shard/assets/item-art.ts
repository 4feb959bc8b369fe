import type { Transaction } from "sequelize";

import { blankItemArtResult, type ItemArtResult } from "../../imports/results/assets.ts";
import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { analyzeTables } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { limits } from "../../platform/limits.ts";
import { type AssetImages, findMaxImageKeys } from "../calls/asset-images.ts";
import { type FaultCodeMap, createPagedReadFault } from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import { countMarketArt, findMissingArt } from "./art.sql.ts";
import { insertPictures, pictureTables, publishItemPictures } from "./pictures.sql.ts";
import { fetchPictureSlice, openShardAssets, type ShardAssets } from "./shard-assets.ts";
import { readLoadedAssets } from "./status.ts";

/** In the API of this import, SOURCE_CHANGED is called INCOMPLETE. */
const codeNames: FaultCodeMap = { SOURCE_CHANGED: "INCOMPLETE" };

/** The partial result, which is reported even if the import fails. */
type PartialItemArtResult = { -readonly [Field in keyof ItemArtResult]?: ItemArtResult[Field] };

/**
 * Fetches up to `limit` missing pictures of items on the market. Each slice is shown as soon as it
 * arrives. An item without a picture is not requested again until the shard's catalog changes.
 */
export async function warmItemArt(run: ImportRun, context: ShardContext): Promise<ItemArtResult> {
  const found: PartialItemArtResult = {};
  const fault = await catchSourceFault(() => warm(found, run, context));
  if (found.catalog) {
    const { remaining } = await countMarketArt(found.catalog, context.sequelize);
    found.remaining = remaining;
  }
  const result = { ...blankItemArtResult, ...found };
  if (fault instanceof SourceFault) {
    return { ...result, status: "unavailable", code: fault.code, reason: fault.message };
  }
  return { ...result, status: result.written ? "imported" : "unchanged" };
}

async function warm(
  found: PartialItemArtResult,
  run: ImportRun,
  context: ShardContext,
): Promise<void> {
  const { sequelize } = context;
  await run.report("source", 0);
  const shard = await openShardAssets(codeNames, run.signal, context);
  const { catalog } = shard;
  const { wanted, held } = await countMarketArt(catalog, sequelize);
  Object.assign(found, { catalog, wanted, held, asked: 0, ...emptyTally });
  if (!shard.manifest.families.includes("item")) {
    throw createPagedReadFault("UNSUPPORTED", "The shard has no pictures of items", codeNames);
  }
  const { force = false, limit = limits.itemArt.default } = run.flags;
  const keys = await findMissingArt({ catalog, force, limit }, sequelize);
  await warmSlices(keys, shard, { found, run, context });
  if (keys.length === 0) return;
  await analyzeTables([...pictureTables, "item_art"], sequelize);
}

const emptyTally = { fetched: 0, written: 0, absent: 0, unsupported: 0 };

async function warmSlices(
  keys: readonly string[],
  shard: ShardAssets,
  { found, run, context }: { found: PartialItemArtResult; run: ImportRun; context: ShardContext },
): Promise<void> {
  const loaded = await readLoadedAssets(context);
  const tally = { asked: 0, ...emptyTally };
  const atOnce = findMaxImageKeys(shard.control);
  for (let at = 0; at < keys.length; at += atOnce) {
    await run.report("images", at, keys.length);
    const slice = keys.slice(at, at + atOnce);
    found.asked = tally.asked += slice.length;
    const answer = await fetchPictureSlice(slice, shard);
    tally.written += await run.withLease((transaction) =>
      writeItemArt(answer, loaded?.fingerprint ?? null, transaction),
    );
    tally.fetched += answer.images.length;
    tally.absent += answer.absent.length;
    tally.unsupported += answer.unsupported.length;
    Object.assign(found, tally);
  }
}

/**
 * Stores the pictures of one answer, and which keys have none.
 * @param loaded the fingerprint of the source whose catalog was loaded when the keys were chosen
 * @returns the number of keys that now show another picture
 * @throws {SourceFault} INCOMPLETE if an import applied another catalog meanwhile
 */
async function writeItemArt(
  { catalog, images, absent, unsupported }: AssetImages,
  loaded: string | null,
  transaction: Transaction,
): Promise<number> {
  const { Asset, ItemArt } = modelsOf(transaction);
  await takeTransactionLock("assets", transaction);
  await requireLoaded(loaded, catalog, transaction);
  await insertPictures(images, transaction);
  const written = await publishItemPictures(images, transaction);
  // Keys outside the catalog for which the shard no longer has a picture.
  const gone = { key: [...absent, ...unsupported], inCatalogue: false };
  await Asset.destroy({ where: gone, transaction });
  const held = images.map(({ key }) => key);
  await ItemArt.storeOutcomes({ held, absent, unsupported }, catalog, transaction);
  return written;
}

/** Throws if another catalog was loaded meanwhile: an older picture must not replace a newer one. */
async function requireLoaded(
  fingerprint: string | null,
  catalog: string,
  transaction: Transaction,
): Promise<void> {
  const now = await readLoadedAssets({ models: modelsOf(transaction) }, transaction);
  if (now?.loaded.catalog === catalog || (now?.fingerprint ?? null) === fingerprint) return;
  throw new SourceFault("INCOMPLETE", "Another import has stored another catalog in the meantime");
}
