import type { Transaction } from "sequelize";

import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import { executeStatement, rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";
import { lockServerShared } from "../server-locks.ts";
import { recordOmission } from "../storage/omissions.ts";
import { lockStoredCount } from "../storage/quota.ts";
import { updateMapImageBytesSql } from "../storage/storage.sql.ts";
import type { MapImage } from "./read-image.ts";

/** Number of worlds per server whose images are kept; the newest worlds are kept. */
const maxImageWorlds = 10;

/** Number of images kept per world. Each rendering adds an image, and links to older images may be in use. */
const maxImagesPerWorld = 3;

/**
 * Stores an image as the current one of its world. Deletes images of old worlds, and the oldest images
 * beyond the storage limit. The new image always fits, because a download is smaller than the limit.
 * @returns isNew is true if the image changed; null if the world is unknown or deleted
 */
export async function storeMapImage(
  serverId: number,
  { saveId, bytes, hash, mime, width, height, ...image }: MapImage,
  bounds: StorageBounds,
  transaction: Transaction,
): Promise<{ readonly isNew: boolean } | null> {
  await lockServerShared(serverId, transaction);
  const wipe = await modelsOf(transaction).SurvivalWipe.findOne({
    where: { serverId, saveId },
    attributes: ["id", "mapHash"],
    // Serialize transactions that store images of one world.
    lock: transaction.LOCK.NO_KEY_UPDATE,
    transaction,
  });
  if (!wipe) return null;
  await lockStoredCount(serverId, "mapImages", transaction);
  await executeStatement(transaction, store, [
    serverId,
    hash,
    wipe.id,
    mime,
    bytes,
    width,
    height,
    image.oceanMargin,
    image.background,
    image.worldSize,
  ]);
  const isNew = wipe.mapHash !== hash;
  if (isNew) await notify("survival_states", { serverId }, transaction);
  await wipe.update({ mapHash: hash }, { transaction });
  await executeStatement(transaction, deleteOldImages, [
    serverId,
    maxImageWorlds,
    maxImagesPerWorld,
  ]);
  const { mapImages: most } = bounds;
  const { length: count } = await rows(transaction, deleteImagesOverLimit, [serverId, hash, most]);
  await recordOmission({ serverId, name: "mapImages", count }, bounds, transaction);
  await executeStatement(transaction, updateMapImageBytesSql, [serverId]);
  return { isNew };
}

/** A newer world with the same seed may have the same image, which then belongs to the newer world. */
const store = `
  insert into survival_map_images
    (server_id, hash, wipe_id, mime, bytes, width, height, ocean_margin, background, world_size)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (server_id, hash) do update
  set wipe_id = greatest(survival_map_images.wipe_id, excluded.wipe_id),
    stored_at = clock_timestamp()`;

const deleteOldImages = `
  with ranked as (
    select image.hash, dense_rank() over (order by wipe.started_at desc, wipe.id desc) as world,
      row_number() over (partition by image.wipe_id order by image.stored_at desc) as place
    from survival_map_images image join survival_wipes wipe on wipe.id = image.wipe_id
    where image.server_id = $1
  ), gone as (
    delete from survival_map_images image using ranked
    where image.server_id = $1 and image.hash = ranked.hash and (world > $2 or place > $3)
    returning image.hash
  )
  update survival_wipes set map_hash = null
  where server_id = $1 and map_hash in (select hash from gone)`;

/** Deletes the oldest images, but never the image that was stored just now. */
const deleteImagesOverLimit = `
  with gone as (
    delete from survival_map_images image using (
      select hash, sum(octet_length(bytes))
        over (order by hash = $2 desc, stored_at desc, hash) as bytes_so_far
      from survival_map_images where server_id = $1
    ) ranked
    where image.server_id = $1 and image.hash = ranked.hash and ranked.bytes_so_far > $3
      and image.hash <> $2
    returning image.hash
  ), unshown as (
    update survival_wipes set map_hash = null
    where server_id = $1 and map_hash in (select hash from gone)
  )
  select from gone`;
