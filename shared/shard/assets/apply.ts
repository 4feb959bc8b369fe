import type { Transaction } from "sequelize";

import { lockForTransaction } from "../../db/lock.ts";
import { type Sql, sqlOf } from "../../db/sql.ts";
import { writeImported } from "../../imports/imported.ts";
import type { AssetManifest } from "../sources/asset-source.ts";
import { applyCreatureArt } from "./creature-art.ts";
import { fingerprintOf, type LoadedAssets } from "./loaded.ts";
import type { ArtFindings } from "./result.ts";

/** What changed by showing another catalogue. */
export interface Applied {
  /** Keys that show another picture than before. */
  readonly written: number;
  readonly removed: number;
  /** Staged creatures whose body has its picture now. */
  readonly resolved: number;
  readonly art: ArtFindings;
}

/** Puts the staged catalogue in the place of the one that is shown. */
export async function applyStage(
  stage: number,
  { manifest, atlasGeneration }: { manifest: AssetManifest; atlasGeneration: number },
  transaction: Transaction,
): Promise<Applied> {
  await lockForTransaction("assets", transaction);
  const sql = sqlOf(transaction);
  const removed = await sql.query(
    `delete from assets where in_catalogue and not exists (
       select from asset_stage staged where staged.stage = $1 and staged.key = assets.key)`,
    [stage],
  );
  const written = await putStaged(stage, sql);
  await writeCreatureBodies(stage, sql);
  const resolved = await countResolved(stage, sql);
  const art = await applyCreatureArt(sql);
  await removeUnshown(sql);
  const { catalog, extractorVersion } = manifest;
  const loaded: LoadedAssets = { catalog, extractorVersion, atlasGeneration };
  await writeImported("assets", { fingerprint: fingerprintOf(manifest), loaded }, sql);
  return { written, removed: removed.rowCount ?? 0, resolved, art };
}

async function putStaged(stage: number, sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ written: number }>(
    `with put as (
       insert into assets as shown (key, family, sha256, image, in_catalogue)
       select key, split_part(key, ':', 1), sha256, held.hash, true
       from asset_stage left join asset_images held on held.hash = sha256
       where stage = $1
       on conflict (key) do update
         set sha256 = excluded.sha256, image = excluded.image, in_catalogue = true
         where (shown.sha256, shown.image, shown.in_catalogue)
           is distinct from (excluded.sha256, excluded.image, true)
       returning key, image
     )
     select count(*) as written from put left join assets before using (key)
     where put.image is not null and put.image is distinct from before.image`,
    [stage],
  );
  return rows[0]?.written ?? 0;
}

async function writeCreatureBodies(stage: number, sql: Sql): Promise<void> {
  await sql.query(
    `update atlas_creatures creature set status = answer.status, body = answer.body
     from creature_stage answer, atlas_state shown
     where answer.stage = $1 and answer.type_key = creature.type_key
       and creature.generation = shown.generation
       and (creature.status, creature.body) is distinct from (answer.status, answer.body)`,
    [stage],
  );
}

async function countResolved(stage: number, sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ resolved: number }>(
    `select count(*) as resolved from creature_stage answer
     join assets on key = 'body:' || answer.body and image is not null
     where stage = $1`,
    [stage],
  );
  return rows[0]?.resolved ?? 0;
}

/** Pictures that no key shows any more, and those of attempts that came to nothing. */
async function removeUnshown(sql: Sql): Promise<void> {
  await sql.query(
    "delete from asset_images where not exists (select from assets where image = hash)",
  );
}
