import type { Asset } from "../../../models/assets/asset.ts";
import {
  addChecksums,
  readChecksum,
  selectHashesSql,
  selectChecksumSql,
  type StageChecksum,
} from "../../imports/sources/stage-checksum.ts";
import { executeStatement, type Database, firstRow, rows } from "../../platform/db/rows.ts";
import type { AssetRow } from "../calls/asset-calls.ts";
import type { CreatureBodyAnswer } from "../calls/body-calls.ts";

/** Creates a stage and deletes those of earlier attempts. @returns its id */
export async function beginStage(database: Database): Promise<number> {
  await executeStatement(database, "delete from asset_stage");
  await executeStatement(database, "delete from creature_stage");
  const row = await firstRow<{ stage: number }>(
    database,
    "select nextval('asset_stages')::integer as stage",
  );
  return row?.stage ?? 0;
}

export async function deleteStage(stage: number, database: Database): Promise<void> {
  await executeStatement(database, "delete from asset_stage where stage = $1", [stage]);
  await executeStatement(database, "delete from creature_stage where stage = $1", [stage]);
}

/** The columns of a staged row that never change after the insert. */
const hashedColumns = { key: "row(key, sha256)", body: "row(type_key, status, body)" } as const;

/** Counts and hashes the rows of a stage. */
export async function computeStageChecksum(
  stage: number,
  database: Database,
): Promise<StageChecksum> {
  const keys = selectHashesSql("asset_stage where stage = $1", hashedColumns.key);
  const bodies = selectHashesSql("creature_stage where stage = $1", hashedColumns.body);
  return addChecksums(
    await readChecksum(selectChecksumSql(keys), [stage], database),
    await readChecksum(selectChecksumSql(bodies), [stage], database),
  );
}

/** Stages keys that are not staged yet. @returns the checksum of the inserted rows */
export const insertKeys = (
  stage: number,
  keys: readonly AssetRow[],
  database: Database,
): Promise<StageChecksum> =>
  readChecksum(
    `with staged as (
       insert into asset_stage (stage, key, sha256)
       select $1, given.key, given.sha256 from unnest($2::text[], $3::text[]) as given (key, sha256)
       on conflict do nothing returning key, sha256
     ) ${selectChecksumSql(selectHashesSql("staged", hashedColumns.key))}`,
    [stage, keys.map(([key]) => key), keys.map(([, sha256]) => sha256)],
    database,
  );

/** @returns the checksum of the inserted rows */
export const insertBodies = (
  stage: number,
  answers: readonly CreatureBodyAnswer[],
  database: Database,
): Promise<StageChecksum> =>
  readChecksum(
    `with staged as (
       insert into creature_stage (stage, type_key, status, body)
       select $1, answer.type_key, answer.status, answer.body
       from unnest($2::text[], $3::text[], $4::integer[]) as answer (type_key, status, body)
       returning type_key, status, body
     ) ${selectChecksumSql(selectHashesSql("staged", hashedColumns.body))}`,
    [
      stage,
      answers.map(({ type }) => type.toLowerCase()),
      answers.map(({ status }) => status),
      answers.map(({ body }) => body),
    ],
    database,
  );

/** A condition for keys of the loaded catalog that are not staged. */
const isVanished = `in_catalogue and not exists (
  select from asset_stage staged where staged.stage = $1 and staged.key = assets.key)`;

export const findVanishedKeys = (
  stage: number,
  database: Database,
): Promise<Pick<Asset, "key">[]> =>
  rows<Pick<Asset, "key">>(
    database,
    `select key from assets where ${isVanished} order by family, length(key), key`,
    [stage],
  );

/** Selects the bodies of the atlas's creatures: the staged answer if there is one, else the known body. */
const creatureBodies = `
  select case when answer.type_key is null then creature.body else answer.body end as body
  from atlas_creatures creature join atlas_state using (generation)
  left join creature_stage answer on answer.stage = $1 and answer.type_key = creature.type_key`;

export interface PictureSelection {
  readonly playerBodies: readonly number[];
  readonly families: readonly string[];
  /** True to fetch stored pictures again. */
  readonly force: boolean;
}

/**
 * Marks the pictures to fetch: all land, the bodies of players and creatures, and each picture that is
 * shown in an older version. Other items are fetched when the market lists them.
 * @returns the number of marked pictures
 */
export const markWantedPictures = (
  stage: number,
  { playerBodies, families, force }: PictureSelection,
  database: Database,
): Promise<number> =>
  executeStatement(
    database,
    `update asset_stage staged set wanted = true
     where stage = $1 and split_part(key, ':', 1) = any ($2::text[])
       and (key like 'land:%' or key = any ($3::text[])
         or key in (select 'body:' || body from (${creatureBodies}) as creature)
         or exists (select from assets where assets.key = staged.key and image is not null))
       and ($4 or not exists (select from asset_images where hash = staged.sha256))`,
    [stage, families, playerBodies.map((body) => `body:${body}`), force],
  );

interface WantedPicture extends Pick<Asset, "key"> {
  readonly sha256: string;
}

/** Returns the next pictures to fetch, each with the hash from the catalog. */
export const findWantedPictures = (
  stage: number,
  { after, limit }: { readonly after: string; readonly limit: number },
  database: Database,
): Promise<WantedPicture[]> =>
  rows<WantedPicture>(
    database,
    `select key, sha256 from asset_stage where stage = $1 and wanted and key > $2
     order by key limit $3`,
    [stage, after, limit],
  );

/** @returns the number of deleted keys */
export const deleteVanishedKeys = (stage: number, database: Database): Promise<number> =>
  executeStatement(database, `delete from assets where ${isVanished}`, [stage]);

/** Adds the staged keys to the catalog. @returns the number of keys that now show another picture */
export async function publishStagedKeys(stage: number, database: Database): Promise<number> {
  const row = await firstRow<{ written: number }>(
    database,
    `with put as (
       insert into assets as shown (key, family, image, in_catalogue)
       select key, split_part(key, ':', 1), held.hash, true
       from asset_stage left join asset_images held on held.hash = sha256
       where stage = $1
       on conflict (key) do update
         set image = excluded.image, in_catalogue = true
         where (shown.image, shown.in_catalogue) is distinct from (excluded.image, true)
       returning key, image
     )
     select count(*) as written from put left join assets before using (key)
     where put.image is not null and put.image is distinct from before.image`,
    [stage],
  );
  return row?.written ?? 0;
}

export async function publishStagedBodies(stage: number, database: Database): Promise<void> {
  await executeStatement(
    database,
    `update atlas_creatures creature set status = answer.status, body = answer.body
     from creature_stage answer, atlas_state shown
     where answer.stage = $1 and answer.type_key = creature.type_key
       and creature.generation = shown.generation
       and (creature.status, creature.body) is distinct from (answer.status, answer.body)`,
    [stage],
  );
}

/** Counts the staged creatures whose body has a stored picture. */
export async function countResolvedCreatures(stage: number, database: Database): Promise<number> {
  const row = await firstRow<{ resolved: number }>(
    database,
    `select count(*) as resolved from creature_stage answer
     join assets on key = 'body:' || answer.body and image is not null
     where stage = $1`,
    [stage],
  );
  return row?.resolved ?? 0;
}
