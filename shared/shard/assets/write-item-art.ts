import type { Sequelize } from "sequelize";

import { lockForTransaction } from "../../db/lock.ts";
import { type Sql, sqlOf } from "../../db/sql.ts";
import { inTransaction } from "../../db/transaction.ts";
import { SourceFault } from "../../imports/source-fault.ts";
import type { AssetImage, AssetImages } from "../sources/asset-images.ts";
import { storePictures } from "./pictures.ts";

/**
 * Shows the pictures of one answer, and remembers what had none.
 * @param loaded fingerprint of the source whose catalogue was shown when the keys were chosen
 * @returns how many keys show another picture than before
 * @throws {SourceFault} INCOMPLETE when an import applied another catalogue meanwhile
 */
export function writeItemArt(
  { catalog, images, absent, unsupported }: AssetImages,
  loaded: string | null,
  sequelize: Sequelize,
): Promise<number> {
  return inTransaction(sequelize, async (transaction) => {
    await lockForTransaction("assets", transaction);
    const sql = sqlOf(transaction);
    await requireLoaded(loaded, catalog, sql);
    await storePictures(images, sql);
    const written = await showPictures(images, sql);
    await forgetPictures([...absent, ...unsupported], sql);
    const held = images.map(({ key }) => key);
    await remember({ held, absent, unsupported }, catalog, sql);
    return written;
  });
}

/** A picture of an older catalogue must not take the place of a newer one. */
async function requireLoaded(fingerprint: string | null, catalog: string, sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ fingerprint: string; catalog: string }>(
    `select fingerprint, loaded ->> 'catalog' as catalog from imported_sources
     where kind = 'assets'`,
  );
  const now = rows[0];
  if (now?.catalog === catalog || (now?.fingerprint ?? null) === fingerprint) return;
  throw new SourceFault("INCOMPLETE", "An import applied another catalogue meanwhile");
}

async function showPictures(images: readonly AssetImage[], sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `insert into assets as shown (key, family, sha256, image, in_catalogue)
     select key, 'item', hash, hash, false from unnest($1::text[], $2::text[]) as given (key, hash)
     on conflict (key) do update set sha256 = excluded.sha256, image = excluded.image
       where shown.image is distinct from excluded.image`,
    [images.map(({ key }) => key), images.map(({ sha256 }) => sha256)],
  );
  return rowCount ?? 0;
}

/** Keys beyond the catalogue that the shard has no picture of any more. */
async function forgetPictures(keys: readonly string[], sql: Sql): Promise<void> {
  await sql.query("delete from assets where key = any ($1::text[]) and not in_catalogue", [keys]);
}

async function remember(
  outcomes: Readonly<Record<"held" | "absent" | "unsupported", readonly string[]>>,
  catalog: string,
  sql: Sql,
): Promise<void> {
  for (const [outcome, keys] of Object.entries(outcomes)) {
    await sql.query(
      `insert into item_art (key, catalog, outcome) select key, $2, $3 from unnest($1::text[]) as key
       on conflict (key) do update set catalog = excluded.catalog, outcome = excluded.outcome,
         asked_at = clock_timestamp()`,
      [keys, catalog, outcome],
    );
  }
}
