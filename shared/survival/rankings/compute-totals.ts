import type { Sequelize } from "sequelize";

import { analyzeTables, firstRow, rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { statNames } from "../titles/title-categories.ts";
import { killTable, scoreTable } from "./score-tables.sql.ts";

interface MissingTotal {
  readonly scope: string;
  readonly key: string;
  readonly table: string;
}

/**
 * Computes missing totals, for example after a server was listed, hidden or deleted or a world ended.
 * Each stat has its own transaction, so that ingest waits for one stat at a time.
 * @returns the number of computed totals
 */
export async function computeTotals({
  sequelize,
}: {
  readonly sequelize: Sequelize;
}): Promise<{ kept: number }> {
  const lacking = await rows<MissingTotal>(sequelize, selectMissing, [statNames]);
  for (const { scope, key, table } of lacking) {
    await inTransaction(sequelize, (transaction) =>
      firstRow(transaction, `select keep_${table}($1, $2)`, [scope, key]),
    );
  }
  // After large changes, the planner needs new statistics to choose the index.
  if (lacking.length > 0) {
    await analyzeTables(
      ["survival_standings", "survival_standing_counts", "survival_boards"],
      sequelize,
    );
  }
  return { kept: lacking.length };
}

/** Only scopes with several worlds need totals. */
const selectMissing = `
  with worlds as (
    select wipe.id, wipe.server_id, wipe.ended_at, server.listed
    from survival_wipes wipe join survival_servers server on server.id = wipe.server_id
  ), scopes as (
    select 's' || server_id as scope, array_agg(id) as ids from worlds
    group by server_id having count(*) > 1
    union all
    select 'all', array_agg(id) from worlds where listed having count(distinct server_id) > 1
    union all
    select 'current', array_agg(id) from worlds where listed and ended_at is null having count(*) > 1
  ), wanted as (
    select scope, key, '${scoreTable.table}' as table, key as stat
    from scopes cross join unnest($1::text[]) key
    union all
    select distinct scopes.scope, substr(counted.stat, 5), '${killTable.table}', counted.stat
    from scopes cross join unnest(ids) world (id)
    join survival_standing_counts counted
      on counted.scope = 'w' || world.id and counted.stat like '${killTable.prefix}%'
  )
  select wanted.scope, wanted.key, wanted.table from wanted
  left join survival_boards board on board.scope = wanted.scope and board.stat = wanted.stat
  where board.scope is null
  order by 3, 1, 2`;
