import type { Sequelize } from "sequelize";

import type { Cliloc } from "../../../models/shard/cliloc.ts";
import {
  readChecksum,
  selectChecksumSql,
  type StageChecksum,
} from "../../imports/sources/stage-checksum.ts";
import { executeStatement, type Database, firstRow } from "../../platform/db/rows.ts";

/** Creates a stage and deletes those of earlier attempts. @returns its id */
export async function beginStage(database: Database): Promise<number> {
  await executeStatement(database, "delete from cliloc_stage");
  const row = await firstRow<{ stage: number }>(
    database,
    "select nextval('cliloc_stages')::integer as stage",
  );
  return row?.stage ?? 0;
}

/** Deletes a stage and vacuums the table; otherwise the next stage would scan the dead rows. */
export async function deleteStage(stage: number, pool: Sequelize): Promise<void> {
  await executeStatement(pool, "delete from cliloc_stage where stage = $1", [stage]);
  await executeStatement(pool, "vacuum cliloc_stage");
}

/** Counts and hashes the rows of a stage. */
export const readClilocStageChecksum = (
  stage: number,
  database: Database,
): Promise<StageChecksum> =>
  readChecksum(
    selectChecksumSql(
      "select hashtextextended(text, number) as hash from cliloc_stage where stage = $1",
    ),
    [stage],
    database,
  );

/**
 * Makes the shown table equal to the stage. Most texts stay the same, so only rows that differ are
 * written.
 * @returns the number of inserted and updated texts; deleted ones are not counted
 */
export async function publishClilocStage(stage: number, database: Database): Promise<number> {
  // An empty table has no conflicts, so do not check for them: the check doubles the time.
  const first = await executeStatement(
    database,
    `insert into clilocs (number, text)
     select number, text from cliloc_stage
     where stage = $1 and not exists (select from clilocs)`,
    [stage],
  );
  return first > 0 ? first : mergeStage(stage, database);
}

const mergeStage = (stage: number, database: Database): Promise<number> =>
  executeStatement(
    database,
    `with differing as materialized (
       select number, staged.text
       from (select number, text from cliloc_stage where stage = $1) staged
       full join clilocs shown using (number)
       where staged.text is distinct from shown.text
     ), gone as (
       delete from clilocs where number in (select number from differing where text is null)
     )
     insert into clilocs (number, text)
     select number, text from differing where text is not null
     on conflict (number) do update set text = excluded.text`,
    [stage],
  );

export type StagedText = readonly [stage: number, number: Cliloc["number"], text: Cliloc["text"]];

export const stageColumns = "cliloc_stage (stage, number, text)";
