import type { Sequelize } from "sequelize";

import type { Context } from "../../context.ts";
import { sqlOf } from "../../db/sql.ts";
import { inTransaction } from "../../db/transaction.ts";
import { writeImported } from "../../imports/imported.ts";
import type { ImportRun } from "../../imports/run-import.ts";
import { atlasTables } from "./loading.ts";
import type { AtlasOrigin } from "./origin.ts";
import type { AtlasCounts, AtlasResult } from "./result.ts";
import type { LoadedAtlas, PendingAtlas } from "./state.ts";

interface ReadAtlas {
  readonly origin: AtlasOrigin;
  readonly result: AtlasResult;
  readonly counts: AtlasCounts;
}

/**
 * Shows what was loaded instead of what was shown, in one transaction with the run's result.
 * @returns false, nothing being done, when what was approved has been rejected meanwhile
 */
export async function applyAtlas(
  { origin, result, counts }: ReadAtlas,
  generation: number,
  run: ImportRun,
  { sequelize }: Context,
): Promise<boolean> {
  const { source, path, files, kind, era, fingerprint } = origin;
  const loaded: LoadedAtlas = { source, path, counts, sources: files, kind, era };
  const facets = Object.entries(counts.perFacet).map(([name, facet]) => ({ name, ...facet }));
  return inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    const { rowCount } = await sql.query(
      `update atlas_state set generation = $1, pending_status = null, pending_fingerprint = null,
         pending = null
       where pending_status = 'pending' or not $2`,
      [generation, run.flags.approve === true],
    );
    if (rowCount === 0) return false;
    await run.finish(result, transaction);
    await sql.query(
      `insert into atlas_facets (generation, name, regions, rects, spawners, entries, total)
       select $1, facet.* from jsonb_to_recordset($2::jsonb) as facet (
         name text, regions integer, rects integer, spawners integer, entries integer, total bigint)`,
      [generation, JSON.stringify(facets)],
    );
    await writeImported("atlas", { fingerprint, loaded }, sql);
    for (const table of atlasTables) {
      await sql.query(`delete from ${table} where generation <> $1`, [generation]);
    }
    return true;
  });
}

/** Puts a refresh before an administrator, in place of whatever was before them. */
export async function stageAtlas(
  { origin, result, counts }: ReadAtlas,
  run: ImportRun,
  { sequelize }: Context,
): Promise<void> {
  const { source, path, fingerprint } = origin;
  const { addedFacets, removedFacets } = result;
  const stagedAt = new Date().toISOString();
  const pending: PendingAtlas = { source, path, counts, addedFacets, removedFacets, stagedAt };
  await inTransaction(sequelize, async (transaction) => {
    await sqlOf(transaction).query(
      `update atlas_state set pending_status = 'pending', pending_fingerprint = $1, pending = $2`,
      [fingerprint, JSON.stringify(pending)],
    );
    await run.finish(result, transaction);
  });
}

/** What waits for a decision no longer stands in the source. */
export async function clearPending(sequelize: Sequelize): Promise<void> {
  await sequelize.query(
    `update atlas_state set pending_status = null, pending_fingerprint = null, pending = null
     where pending_status = 'pending'`,
  );
}
