import type { Transaction } from "sequelize";

import { SourceFault } from "../../imports/results/source-fault.ts";
import { lockForTransaction } from "../../platform/db/lock.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import type { AssetImages } from "../calls/asset-images.ts";
import { readLoadedAssets } from "./loaded.ts";
import { insertPictures, showItems } from "./pictures-sql.ts";

/**
 * Shows the pictures of one answer, and remembers what had none.
 * @param loaded fingerprint of the source whose catalogue was shown when the keys were chosen
 * @returns how many keys show another picture than before
 * @throws {SourceFault} INCOMPLETE when an import applied another catalogue meanwhile
 */
export async function writeItemArt(
  { catalog, images, absent, unsupported }: AssetImages,
  loaded: string | null,
  transaction: Transaction,
): Promise<number> {
  const { Asset, ItemArt } = modelsOf(transaction);
  await lockForTransaction("assets", transaction);
  await requireLoaded(loaded, catalog, transaction);
  await insertPictures(images, transaction);
  const written = await showItems(images, transaction);
  // Keys beyond the catalogue that the shard has no picture of any more.
  const gone = { key: [...absent, ...unsupported], inCatalogue: false };
  await Asset.destroy({ where: gone, transaction });
  const held = images.map(({ key }) => key);
  await ItemArt.remember({ held, absent, unsupported }, catalog, transaction);
  return written;
}

/** A picture of an older catalogue must not take the place of a newer one. */
async function requireLoaded(
  fingerprint: string | null,
  catalog: string,
  transaction: Transaction,
): Promise<void> {
  const now = await readLoadedAssets({ models: modelsOf(transaction) }, transaction);
  if (now?.loaded.catalog === catalog || (now?.fingerprint ?? null) === fingerprint) return;
  throw new SourceFault("INCOMPLETE", "An import applied another catalogue meanwhile");
}
