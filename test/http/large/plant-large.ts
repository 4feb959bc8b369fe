import type { Client } from "pg";

import { shardRows } from "./shard-rows.ts";
import { siteRows } from "./site-rows.ts";
import type { LargeSize } from "./size.ts";
import { survivalRows } from "./survival-rows.ts";

/** Tables whose indexes are created after their rows are inserted. That is several times faster. */
const largeTables = ["listings", "survival_events", "survival_npc_kills", "survival_scores"];

interface Index {
  readonly name: string;
  readonly definition: string;
}

/** Fills a migrated database with as many rows as a large site has after years. */
export async function fillLargeDatabase(client: Client, size: LargeSize): Promise<void> {
  await client.query("set synchronous_commit = off");
  await client.query("set maintenance_work_mem = '256MB'");
  const { rows: indexes } = await client.query<Index>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = any($1) and indexname not like '%_pkey'
       and indexname not in (select conname from pg_constraint)`,
    [largeTables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  // Disable the triggers that count rows, and compute the counts at the end.
  for (const table of followed) await client.query(`alter table ${table} disable trigger user`);
  for (const statement of [...siteRows, ...shardRows(size), ...survivalRows(size)]) {
    await client.query(statement);
  }
  for (const { definition } of indexes) await client.query(definition);
  for (const statement of kept) await client.query(statement);
  for (const table of followed) await client.query(`alter table ${table} enable trigger user`);
  await client.query("analyze");
}

const followed = ["listings", "survival_scores", "survival_npc_kills", "survival_tallies"];

const countsOf = (table: string, stat: string, value: string, at: string): string[] => [
  `update ${table} figure set left_out = true from survival_tallies tally
   where tally.is_staff and figure.wipe_id = tally.wipe_id and figure.steam_id = tally.steam_id`,
  `insert into survival_standing_counts (scope, stat, bucket, players, total, updated_at)
   select 'w' || wipe_id, ${stat}, survival_bucket(${value}), count(*), sum(${value}), max(${at})
   from ${table} where not left_out group by 1, 2, 3`,
];

const kept = [
  "select recount_listings()",
  `insert into survival_world_players (wipe_id, players)
   select wipe_id, count(*) from survival_tallies group by 1`,
  ...countsOf("survival_scores", "stat", "value", "reached_at"),
  ...countsOf("survival_npc_kills", "'npc:' || profile_key", "kills", "last_at"),
];
