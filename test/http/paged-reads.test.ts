import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";

import { call } from "../support/call.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";

/** Rows of each table. */
const many = 4_000;
const connections = 2;

let server: TestServer;
let admin: SignedIn;
let statistics: Client;
beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_POOL: String(connections) } });
  admin = await signIn(server, { role: "admin" });
  statistics = new Client(server.database.url);
  await statistics.connect();
  for (const table of tables) {
    await statistics.query(`alter table ${table} set (autovacuum_enabled = false)`);
  }
  await statistics.query("alter table users set (autovacuum_enabled = false)");
  await plant();
});
afterAll(async () => {
  await statistics.end();
  await server.stop();
});

const tables = ["activity_log", "punishments", "appeals", "posts", "wiki_categories", "wiki_pages"];

/** As one import or one busy day leaves them: nobody has looked at what they hold. */
const plant = () =>
  statistics.query(`
    insert into users (username, username_key, role)
    select 'planted-' || n, 'planted-' || n, 'player' from generate_series(1, ${many}) n;
    create temporary table someone as
    select id, row_number() over (order by id) as n from users where username like 'planted-%';
    insert into activity_log (actor_id, action) select id, 'planted' from someone;
    insert into punishments (account_key, account, reason, confirmed_at)
    select 'account-' || n, 'account-' || n, 'a reason', now() from someone;
    insert into appeals (user_id, punishment_id, account, reason, assignee_id)
    select someone.id, punishments.id, punishments.account, 'a reason', someone.id
    from someone join punishments on punishments.account = 'account-' || someone.n;
    insert into posts (slug, title, auto_excerpt, body, body_html, renderer, folded, status, author_id, published_at)
    select 'post-' || n, 'A title', '', '', '', 1, 'a title', 'published', id, now() from someone;
    insert into wiki_categories (slug, name) select 'category-' || n, 'A name' from someone;
    insert into wiki_pages (slug, title, category_id, body, body_html, toc, renderer, folded, status, updated_by)
    select 'page-' || n, 'A title', wiki_categories.id, '', '', '[]', 1, 'a title', 'published', someone.id
    from someone join wiki_categories on wiki_categories.slug = 'category-' || n`);

/** Rows of our tables that were read so far, once every connection of the server has told of its own. */
async function countRead(): Promise<number> {
  const tell = "select pg_stat_force_next_flush(), pg_sleep(0.05)";
  const all = Array.from({ length: connections }, () => server.context.sequelize.query(tell));
  await Promise.all(all);
  const { rows } = await statistics.query<{ read: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
     where relname = any($1)`,
    [[...tables, "users"]],
  );
  return Number(rows[0]?.read);
}

describe("a page of rows that were just written, with what belongs to them", () => {
  it.each([
    "GET /admin/activity?limit=100&action=planted",
    "GET /admin/appeals?limit=100&offset=2000",
    "GET /public/posts?limit=50&offset=2000",
    "GET /admin/posts?limit=50&offset=2000",
    "GET /public/wiki?limit=50&offset=2000",
    "GET /admin/wiki?limit=50&offset=2000",
  ])("reads no table again for each of them: %s", async (route) => {
    const before = await countRead();
    const { status, body } = await call(server, route, { headers: admin.headers });
    const read = (await countRead()) - before;
    expect(status).toBe(200);
    const shown = Object.values(body as object).find(Array.isArray) as unknown[];
    expect(shown.length).toBeGreaterThanOrEqual(50);
    expect(read).toBeGreaterThan(shown.length);
    // A few looks at each table: far from one look at a table for each row that is shown.
    expect(read).toBeLessThan((shown.length * many) / 4);
  });

  it("is planned by guesses: nobody has analysed the tables", async () => {
    const { rows } = await statistics.query(
      "select tablename from pg_stats where tablename = any($1)",
      [tables],
    );
    expect(rows).toEqual([]);
  });
});
