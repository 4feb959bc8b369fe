import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { firstPageSql } from "../../shared/content/search/search.sql.ts";
import {
  killTable,
  scoreTable,
  selectRanksSql,
  selectUncachedRanksSql,
} from "../../shared/survival/rankings/score-tables.sql.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer();
  client = new Client(server.database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

interface PlannedQuery {
  readonly sql: string;
  /** The types of the parameters and their values, in SQL. */
  readonly types: string;
  readonly values: string;
}

/**
 * Runs a query without statistics, with the plan that a connection keeps for all values of the parameters.
 * @returns the executed nodes of the plan
 */
async function explain({ sql, types, values }: PlannedQuery): Promise<PlanNode[]> {
  await client.query("begin");
  await client.query(
    "delete from pg_statistic where starelid::regclass::text ~ '^(survival|search)_'",
  );
  await client.query("set local plan_cache_mode = force_generic_plan");
  // The search sets this too.
  await client.query("set local enable_seqscan = off");
  await client.query(`prepare asked (${types}) as ${sql}`);
  const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) execute asked (${values})`,
  );
  await client.query("deallocate asked");
  await client.query("rollback");
  const nodes = rows.flatMap((row) => nodesOf(row["QUERY PLAN"][0].Plan));
  return nodes.filter((node) => node["Actual Loops"] > 0);
}

const indexesIn = (nodes: readonly PlanNode[]): string[] =>
  nodes.flatMap((node) => node["Index Name"] ?? []);

describe.each([scoreTable, killTable])(
  "without statistics, the ranks of a player in $table",
  (figures) => {
    const { table, key, value, at } = figures;

    beforeAll(async () => {
      const { id } = await buildSurvivalServer(server);
      await query(
        server,
        `insert into survival_wipes (server_id, save_id, started_at, ended_at)
         values ($1, 1, now(), now()), ($1, 2, now(), null)`,
        id,
      );
      await query(
        server,
        `insert into ${table} (wipe_id, ${key}, steam_id, ${value}, ${at})
         select id, 'key-' || k, 'player-' || n, n, now()
         from survival_wipes cross join generate_series(1, 12) k
         cross join generate_series(1, 1000) n where server_id = $1`,
        id,
      );
    });

    it("are read from the player's own rows", async () => {
      const nodes = await explain({
        sql: selectRanksSql(figures, "world"),
        types: "integer, integer, boolean, text[], text",
        values: "null, null, true, '{player-7}', 'w2'",
      });
      const [first] = indexesIn(nodes).filter((index) => index.startsWith(table));
      expect(first).toBe(`${table}_player`);
    });

    it("are computed with one search for the player's keys while the totals are missing", async () => {
      const nodes = await explain({
        sql: selectUncachedRanksSql(figures),
        types: "integer, integer, boolean, text[]",
        values: "null, null, false, '{player-7}'",
      });
      const searches = nodes.filter((node) => node["Index Name"] === `${table}_player`);
      expect(searches.map((node) => node["Actual Loops"])).toEqual([1]);
    });
  },
);

describe("without statistics, a search", () => {
  beforeAll(() =>
    query(
      server,
      `insert into search_entries
         (type, ref_id, slug, title, text, heading, words, audience, visible_from)
       select 'wiki', n, 'page-' || n, 'Page', repeat('ore ', 200), 'page:1A',
         to_tsvector('simple', 'page' || n % 500 || repeat(' ore' || n, 200)), 'anonymous', now()
       from generate_series(1, 3000) n`,
    ),
  );

  it.each([
    ["few hits", "'page77'", ["search_entries_pkey", "search_entries_words"]],
    [
      "more hits than are ranked by their texts",
      "'page1':*",
      ["search_entries_heading", "search_entries_pkey", "search_entries_words"],
    ],
  ])("with %s finds words with their index, and does not test all texts", async (_, q, used) => {
    const nodes = await explain({
      sql: firstPageSql,
      types: "text, text[], text, bigint, bigint, bigint",
      values: `'${q.replaceAll("'", "''")}', '{anonymous}', null, 50, 0, 200`,
    });
    expect([...new Set(indexesIn(nodes))].toSorted()).toEqual(used);
  });
});
