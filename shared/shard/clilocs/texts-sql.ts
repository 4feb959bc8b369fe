import type { Sequelize } from "sequelize";

import type { Cliloc } from "../../../models/shard/cliloc.ts";
import { readSum, selectSum, type StageSum } from "../../imports/sources/stage-sum.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";

/** Begins a stage, and removes what earlier attempts left behind. @returns its number */
export async function beginStage(database: Database): Promise<number> {
  await countChanged(database, "delete from cliloc_stage");
  const row = await firstRow<{ stage: number }>(
    database,
    "select nextval('cliloc_stages')::integer as stage",
  );
  return row?.stage ?? 0;
}

/** Removes a stage and frees its disk space, which the next stage would have to read through. */
export async function deleteStage(stage: number, pool: Sequelize): Promise<void> {
  await countChanged(pool, "delete from cliloc_stage where stage = $1", [stage]);
  await countChanged(pool, "vacuum cliloc_stage");
}

/** What a stage holds now. */
export const readStage = (stage: number, database: Database): Promise<StageSum> =>
  readSum(
    selectSum("select hashtextextended(text, number) as hash from cliloc_stage where stage = $1"),
    [stage],
    database,
  );

/**
 * Makes the table equal the stage. Most texts are the same as before, so only rows that differ are
 * written.
 * @returns how many were, those that are gone not counted
 */
export async function showStage(stage: number, database: Database): Promise<number> {
  // An empty table cannot have conflicts, and looking for them takes twice as long.
  const first = await countChanged(
    database,
    `insert into clilocs (number, text)
     select number, text from cliloc_stage
     where stage = $1 and not exists (select from clilocs)`,
    [stage],
  );
  return first > 0 ? first : mergeStage(stage, database);
}

const mergeStage = (stage: number, database: Database): Promise<number> =>
  countChanged(
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

/** A text as it is staged. */
export type StagedText = readonly [stage: number, number: Cliloc["number"], text: Cliloc["text"]];

export const stageColumns = "cliloc_stage (stage, number, text)";
