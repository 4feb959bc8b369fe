import { QueryTypes, type Sequelize } from "sequelize";

import type { Sql } from "../../db/sql.ts";
import { missing } from "../../errors.ts";
import type { AssetImage } from "../sources/asset-images.ts";

/** `body:17`, `land:3`, `item:3922` or, in a hue, `item:3922:1153`: each key in one spelling. */
export const assetKeyPattern =
  /^(?:(?:body|item|land):(?:0|[1-9]\d{0,4})|item:(?:0|[1-9]\d{0,4}):[1-9]\d{0,4})$/;

/** Stores pictures; those that are held already stay as they are. */
export async function storePictures(images: readonly AssetImage[], sql: Sql): Promise<void> {
  if (images.length === 0) return;
  await sql.query(
    `insert into asset_images (hash, mime, bytes)
     select distinct on (hash) * from unnest($1::text[], $2::text[], $3::bytea[])
       as given (hash, mime, bytes)
     on conflict (hash) do nothing`,
    [
      images.map(({ sha256 }) => sha256),
      images.map(({ mime }) => mime),
      images.map(({ bytes }) => bytes),
    ],
  );
}

/** @returns the hash of what a key shows. @throws AppError 404 */
export async function findPictureHash(key: string, sequelize: Sequelize): Promise<string> {
  const [row] = await sequelize.query<{ image: string | null }>(
    "select image from assets where key = $1",
    { bind: [key], type: QueryTypes.SELECT },
  );
  if (!row?.image) throw missing("No picture of it is held");
  return row.image;
}

export interface Picture {
  readonly mime: AssetImage["mime"];
  readonly bytes: Buffer;
}

/** @throws AppError 404 */
export async function readPicture(hash: string, sequelize: Sequelize): Promise<Picture> {
  const [picture] = await sequelize.query<Picture>(
    "select mime, bytes from asset_images where hash = $1",
    { bind: [hash], type: QueryTypes.SELECT },
  );
  if (!picture) throw missing("No such picture is held");
  return picture;
}
