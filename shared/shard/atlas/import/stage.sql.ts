import type { AtlasCreature } from "../../../../models/atlas/atlas-creature.ts";
import type { Models } from "../../../../models/index.ts";
import {
  readChecksum,
  selectHashesSql,
  selectChecksumSql,
  type StageChecksum,
} from "../../../imports/sources/stage-checksum.ts";
import { copyModelRows } from "../../../platform/db/copy.ts";
import { executeStatement, type Database, firstRow } from "../../../platform/db/rows.ts";
import type { SqlClient } from "../../../platform/db/sql.ts";
import type { AtlasRegion, AtlasSpawner } from "../../calls/atlas-records.ts";
import type { CreatureBodyAnswer } from "../../calls/body-calls.ts";
import type { CreatureType } from "./tally.ts";

/** All tables whose rows have a generation. */
const tables = [
  "atlas_facets",
  "atlas_regions",
  "atlas_rects",
  "atlas_spawners",
  "atlas_entries",
  "atlas_creatures",
] as const;

/** Starts a generation next to the one that is shown, and deletes those of earlier attempts. */
export async function beginGeneration(database: Database): Promise<number> {
  for (const table of tables) {
    await executeStatement(
      database,
      `delete from ${table} where generation <> (select generation from atlas_state)`,
    );
  }
  const row = await firstRow<Pick<AtlasCreature, "generation">>(
    database,
    "select nextval('atlas_generations')::integer as generation",
  );
  return row?.generation ?? 0;
}

export async function deleteGeneration(generation: number, database: Database): Promise<void> {
  for (const table of tables) {
    await executeStatement(database, `delete from ${table} where generation = $1`, [generation]);
  }
}

export async function deleteOtherGenerations(
  generation: number,
  database: Database,
): Promise<void> {
  for (const table of tables) {
    await executeStatement(database, `delete from ${table} where generation <> $1`, [generation]);
  }
}

interface StagedRows {
  readonly generation: number;
  /** The id of the first row. */
  readonly first: number;
  readonly models: Models;
}

/** Tables whose staged rows never change afterwards, with the column that orders them. */
const stagedTables = {
  atlas_regions: "id",
  atlas_rects: "region_id",
  atlas_spawners: "id",
  atlas_entries: "spawner_id",
} as const;

type StagedTable = keyof typeof stagedTables;

const wholeRow = "staged";

/**
 * Selects the hashes of a table's rows of generation `$1` with ids from `$2` to below `$3`. The planner has no
 * statistics of a new generation and may choose a slow index. Comparing generation and id as one row value makes
 * it use the index on both columns.
 */
const selectHashesOf = (table: StagedTable): string => {
  const place = `(generation, ${stagedTables[table]})`;
  return selectHashesSql(
    `${table} staged where ${place} >= ($1, $2) and ${place} < ($1, $3)`,
    wholeRow,
  );
};

const creatureHashes = selectHashesSql("atlas_creatures staged where generation = $1", wholeRow);

/** Counts and hashes all rows of a generation, including its creatures. */
export const computeGenerationChecksum = (
  generation: number,
  database: Database,
): Promise<StageChecksum> => {
  const hashes = [
    ...(Object.keys(stagedTables) as StagedTable[]).map(selectHashesOf),
    creatureHashes,
  ];
  return readChecksum(
    selectChecksumSql(hashes.join(" union all ")),
    [generation, 0, highestId],
    database,
  );
};

const highestId = 2 ** 31 - 1;

/** Counts and hashes the rows that were just written. */
const sumWrittenRows = (
  names: readonly StagedTable[],
  { generation, first, count }: Pick<StagedRows, "generation" | "first"> & { count: number },
  sql: SqlClient,
): Promise<StageChecksum> =>
  readChecksum(
    selectChecksumSql(names.map(selectHashesOf).join(" union all ")),
    [generation, first, first + count],
    sql,
  );

/** Writes regions with their rectangles. @returns the checksum of all written rows */
export async function insertRegions(
  regions: readonly AtlasRegion[],
  { generation, first, models }: StagedRows,
  sql: SqlClient,
): Promise<StageChecksum> {
  const rows = regions.map((region, at) => {
    const parent = region.parent === null ? null : String(region.parent);
    return { ...region, parent, generation, id: first + at };
  });
  const rects = rows.flatMap(({ id, rects: own }) =>
    own.map((rect) => ({ ...rect, generation, regionId: id })),
  );
  await copyModelRows(models.AtlasRegion, rows, sql);
  await copyModelRows(models.AtlasRect, rects, sql);
  const written = { generation, first, count: regions.length };
  return sumWrittenRows(["atlas_regions", "atlas_rects"], written, sql);
}

/** Writes spawners with their entries. @returns the checksum of all written rows */
export async function insertSpawners(
  spawners: readonly AtlasSpawner[],
  { generation, first, models }: StagedRows,
  sql: SqlClient,
): Promise<StageChecksum> {
  const rows = spawners.map((spawner, at) => ({
    ...spawner,
    generation,
    id: first + at,
    names: namesOf(spawner),
  }));
  const entries = rows.flatMap(({ id, entries: own }) =>
    own.map((entry, place) => ({ ...entry, generation, spawnerId: id, place })),
  );
  await copyModelRows(models.AtlasSpawner, rows, sql);
  await copyModelRows(models.AtlasEntry, entries, sql);
  const written = { generation, first, count: spawners.length };
  return sumWrittenRows(["atlas_spawners", "atlas_entries"], written, sql);
}

/** Joins the names of a spawner, its region and its creatures into the text that searches match. */
const namesOf = ({ name, region, entries }: AtlasSpawner): string =>
  [name, region, ...entries.map(({ typeKey }) => typeKey)]
    .flatMap((text) => text?.toLowerCase() ?? [])
    .join("\n");

/** Writes a generation's creatures with the bodies of the shown generation. */
export async function insertCreatures(
  generation: number,
  creatures: readonly CreatureType[],
  database: Database,
): Promise<void> {
  await executeStatement(
    database,
    `insert into atlas_creatures (generation, type_key, type, status, body)
     select $1, given.type_key, given.type, known.status, known.body
     from unnest($2::text[], $3::text[]) as given (type_key, type)
     left join (select creature.* from atlas_creatures creature join atlas_state using (generation))
       as known on known.type_key = given.type_key`,
    [generation, creatures.map(({ typeKey }) => typeKey), creatures.map(({ type }) => type)],
  );
}

export const computeCreatureChecksum = (
  generation: number,
  database: Database,
): Promise<StageChecksum> =>
  readChecksum(selectChecksumSql(creatureHashes), [generation], database);

/** Writes the bodies that the shard answered. Other creatures keep the bodies that are stored. */
export async function updateBodies(
  generation: number,
  answers: readonly CreatureBodyAnswer[],
  database: Database,
): Promise<void> {
  await executeStatement(
    database,
    `update atlas_creatures set status = answer.status, body = answer.body
     from unnest($2::text[], $3::text[], $4::integer[]) as answer (type_key, status, body)
     where generation = $1 and atlas_creatures.type_key = answer.type_key`,
    [
      generation,
      answers.map(({ type }) => type.toLowerCase()),
      answers.map(({ status }) => status),
      answers.map(({ body }) => body),
    ],
  );
}
