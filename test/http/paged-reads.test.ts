import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { listFixtureTables, insertListFixtures } from "./planted/pages.ts";

/** The number of rows inserted into each table. */
const many = 4_000;
const connections = 2;
/**
 * The maximum number of rows that a read of few rows may scan. It allows a few complete scans of several tables.
 */
const fewLooks = many * 25;
/**
 * The number of events that the stream's client missed. A replay needs several pages for them, but they do not
 * exceed its limit.
 */
const missed = 900;

let server: TestServer;
let admin: SignedIn;
let statistics: Client;
let planted: Planted;
/** The names of the tables with inserted rows, including the table of users. */
let tables: readonly string[];

/** Ids of objects whose pages are read. */
interface Planted {
  readonly webhook: number;
  readonly run: number;
  readonly survival: number;
  readonly wiped: number;
  readonly middle: number;
  readonly steamId: string;
  readonly last: number;
  readonly owner: number;
}

beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_POOL: String(connections) } });
  admin = await signIn(server, { role: "admin" });
  statistics = new Client(server.database.url);
  await statistics.connect();
  await statistics.query("set search_path to public, pgboss");
  tables = await readParts(listFixtureTables(server));
  for (const table of tables) {
    await statistics.query(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  await insertListFixtures(server, many, admin.userId);
  planted = await readPlanted();
});
afterAll(async () => {
  await statistics.end();
  await server.stop();
});

async function readPlanted(): Promise<Planted> {
  const { EventRun, ShardEvent, SurvivalLedgerEntry, SurvivalServer, SurvivalSighting, Webhook } =
    server.context.models;
  return {
    webhook: await Webhook.min("id"),
    run: await EventRun.min("id"),
    survival: await SurvivalServer.min("id"),
    wiped: await SurvivalServer.max("id"),
    middle: Number(await SurvivalLedgerEntry.min("id")) + many / 2,
    steamId: await SurvivalSighting.min("steamId"),
    last: Number(await ShardEvent.max("id")),
    owner: admin.userId,
  };
}

/**
 * Returns the tables that hold the rows: the partitions of a partitioned table, otherwise the table
 * itself.
 */
async function readParts(names: readonly string[]): Promise<string[]> {
  const { rows } = await statistics.query<{ name: string }>(
    `select coalesce(relid, planted::regclass)::text as name from unnest($1::text[]) planted
     left join lateral pg_partition_tree(planted::regclass) on isleaf`,
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Returns the number of rows read so far. First makes each connection report its statistics. */
async function countRead(): Promise<number> {
  const tell = "select pg_stat_force_next_flush(), pg_sleep(0.05)";
  const all = Array.from({ length: connections }, () => server.context.sequelize.query(tell));
  await Promise.all(all);
  const { rows } = await statistics.query<{ read: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
     where relname = any($1)`,
    [tables],
  );
  return Number(rows[0]?.read);
}

const pathOf = (route: string): string =>
  route.replaceAll(/:(\w+)/g, (_, name) => String(planted[name as keyof Planted]));

const pages = [
  "GET /admin/activity?limit=100&action=planted",
  "GET /admin/appeals?limit=100&offset=2000",
  "GET /public/posts?limit=50&offset=2000",
  "GET /admin/posts?limit=50&offset=2000",
  "GET /public/wiki?limit=50&offset=2000",
  "GET /admin/wiki?limit=50&offset=2000",
  "GET /player/appeals?limit=50&offset=2000",
  "GET /player/shard/sales?limit=100",
  "GET /public/shard/market?limit=50&offset=2000",
  "GET /public/shard/market?limit=50&q=thing",
  "GET /public/shard/market/vendors/0x00000001?limit=100&offset=500",
  "GET /admin/jobs?state=failed&limit=100",
  "GET /admin/webhooks/:webhook/deliveries?limit=50&offset=2000",
  "GET /admin/events/runs?limit=100",
  "GET /admin/events/runs/:run/log?limit=200",
  "GET /player/events/history?limit=50",
  "GET /public/survival/servers/:survival/leaderboard?limit=50&offset=2000",
  "GET /public/survival/profiles/boss/ranking?limit=50&offset=2000",
  "GET /public/survival/servers/:survival/clans?limit=50&offset=2000",
  "GET /admin/survival/servers/:survival/events?limit=50",
  "GET /admin/survival/permissions/grants?limit=50&offset=2000",
  "GET /public/survival/servers/:wiped/wipes?limit=100",
  "GET /admin/survival/ledger?limit=100",
  "GET /admin/survival/reports?limit=100",
  "GET /admin/survival/ledger?limit=100&server=:wiped&what=zone",
  "GET /admin/survival/config/:wiped/writes?limit=100",
  "GET /admin/shardlink/rejected?limit=100",
  "GET /admin/users?limit=50&offset=2000",
  "GET /admin/users?limit=50&q=planted",
  "GET /public/events?limit=50",
  "GET /public/atlas?facet=Felucca&limit=100&offset=2000",
  "GET /admin/wiki/page-1/revisions?limit=50&offset=2000",
  "GET /public/search?q=planted&limit=50&offset=2000",
  "GET /admin/shard/sales?limit=100",
  "GET /admin/shard/audit?limit=100",
  "GET /admin/users/:owner/shard/sales?limit=100",
  "GET /admin/survival/ledger?limit=100&server=:wiped&what=zone&state=confirmed&before=:middle",
  "GET /admin/survival/config/:wiped/writes?limit=100&plugin=Planted",
  "GET /public/survival/servers/:survival/feed?limit=100",
  "GET /public/atlas?facet=Felucca&limit=100&offset=2000&q=thing",
  "GET /public/atlas?facet=Felucca&bbox=0,0,3000,3000&limit=100&offset=2000",
];

/** Returns true if the route has a `limit` parameter and so answers in pages. */
const isPaged = ({ method, query }: (typeof routes)[number]): boolean =>
  method === "get" && Object.keys(query?.describe().keys ?? {}).includes("limit");

const segmentsOf = (path: string): readonly string[] => path.split("/").slice(1);

/** Returns true if the requested path matches the path of the route. */
const isOf = (asked: readonly string[], route: readonly string[]): boolean =>
  asked.length === route.length &&
  route.every((part, at) => part.startsWith(":") || part === asked[at]);

describe("database reads of newly written rows", () => {
  it.each(pages)("do not scan a table again for each row of a page: %s", async (route) => {
    const before = await countRead();
    const { status, body } = await callRoute(server, pathOf(route), { headers: admin.headers });
    const read = (await countRead()) - before;
    expect(status).toBe(200);
    const lists = [body, ...Object.values(body as object)].filter(Array.isArray) as unknown[][];
    const shown = lists.reduce((one, other) => (other.length > one.length ? other : one), []);
    expect(shown.length).toBeGreaterThanOrEqual(50);
    expect(read).toBeGreaterThan(shown.length);
    // The limit allows a few scans of each table. One scan for each listed row would read far more.
    expect(read).toBeLessThan((shown.length * many) / 4);
  });

  it("are tested for every paged route", () => {
    const asked = pages.map((page) => segmentsOf(page.slice("GET ".length).replace(/\?.*/, "")));
    const paged = routes.filter(isPaged).map(({ path }) => path.replace("/api/v1", ""));
    const unasked = paged.filter((path) => !asked.some((given) => isOf(given, segmentsOf(path))));
    expect(paged.length).toBeGreaterThan(30);
    expect(unasked).toEqual([]);
  });

  it.each([
    "GET /public/survival/players/:steamId?wipe=all",
    "GET /public/survival/players/:steamId?server=:survival",
    "GET /public/survival/players/:steamId/profiles?wipe=all",
    "GET /public/events/planted-7",
  ])("scan each table only a few times for a page about one object: %s", async (route) => {
    const before = await countRead();
    const { status } = await callRoute(server, pathOf(route), { headers: admin.headers });
    expect(status).toBe(200);
    expect((await countRead()) - before).toBeLessThan(fewLooks);
  });

  it("scan each table only a few times for all events that a stream missed", async () => {
    const before = await countRead();
    const seenLast = planted.last - missed;
    const client = await openStream(`${server.url}/api/v1/admin/shardlink/stream`, {
      headers: admin.headers,
      lastEventId: seenLast,
    });
    await client.waitFor(({ id }) => id === planted.last);
    client.close();
    await client.ended;
    // Blocks with an event name, and blocks without data, are not events of the shard.
    const sent = client.blocks.filter(
      ({ event, data }) => event === undefined && data !== undefined,
    );
    expect(sent).toHaveLength(missed);
    expect((await countRead()) - before).toBeLessThan(fewLooks);
  });

  it("do not scan the survival events when a user is deleted", async () => {
    const { userId } = await signIn(server);
    const readOf = async (): Promise<number> => {
      await countRead();
      const { rows } = await statistics.query<{ read: string }>(
        "select seq_tup_read as read from pg_stat_user_tables where relname = 'survival_events'",
      );
      return Number(rows[0]?.read);
    };
    const before = await readOf();
    const deleted = await callRoute(server, `DELETE /admin/users/${userId}`, {
      headers: admin.headers,
    });
    expect(deleted.status).toBe(200);
    expect((await readOf()) - before).toBe(0);
  });

  it("are planned without table statistics in these tests", async () => {
    const { rows } = await statistics.query(
      "select tablename from pg_stats where tablename = any($1)",
      [tables],
    );
    expect(rows).toEqual([]);
  });
});
