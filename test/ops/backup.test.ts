import { hash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { readTables } from "../../jobs/commands/backup/catalogue.ts";
import { BackupReader } from "../../jobs/commands/backup/read-backup.ts";
import { withOwnDatabase } from "../../jobs/commands/own-database/database.ts";
import { listMigrationNames } from "../../shared/ops/schema.ts";
import { shardRows } from "../http/large/shard-rows.ts";
import { survivalRows } from "../http/large/survival-rows.ts";
import { logIn } from "../support/accounts/sign-in.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type ProgramResult, runProgram } from "./shell-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-backup-"));
const data = path.join(folder, "data");
const keys = path.join(folder, "keys.json");
const file = path.join(folder, "site.backup");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const owner = { username: "robin", password: "one good password" };

/** Settings of a site that keeps its database and keys in a data folder. */
const machine = { DATA_FOLDER: data, BCRYPT_COST: "4", LOG_LEVEL: "warn" };

const run = (
  name: "backup" | "restore" | "user",
  given: readonly string[],
  environment: NodeJS.ProcessEnv = machine,
): Promise<ProgramResult> =>
  runProgram(`jobs/commands/${name}.ts`, {
    given,
    folder,
    environment,
    ...(name === "user" && { input: owner.password }),
  });

const backUp = (environment?: NodeJS.ProcessEnv) => run("backup", [file], environment);

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads all rows of some tables as JSON, which does not depend on settings of the session. */
const readRows = (url: string, tables: readonly string[]) =>
  withClient(url, async (client) => {
    const found: Record<string, unknown> = {};
    for (const table of tables) {
      const { rows } = await client.query(
        `select to_jsonb(each) as row from ${table} each order by to_jsonb(each)::text`,
      );
      found[table] = rows;
    }
    return found;
  });

const readAll = (url: string) =>
  readRows(url, ["users", "activity_log", "assets", "asset_images", "pgboss.job"]);

/** Reads all rows of the tables that a backup contains. */
const readEvery = async (url: string) => {
  const tables = await withClient(url, readTables);
  return readRows(
    url,
    tables.map(({ name }) => name),
  );
};

/**
 * Statements that insert values that are easily damaged, rows with references, a waiting job, jobs
 * of the library's own queue and of a former queue, a foreign table, and a table that the test
 * drops again.
 */
const fill = String.raw`
  insert into users (username, username_key, email, role) values
    (E'tab\t line\n \\. \\N "end"', 'a', '', 'player'), (E'\\.', 'b', null, 'player'), ('\N', 'c', '雪', 'player');
  insert into activity_log (action, actor_id, at, detail) values
    ('odd', 1, '0044-03-15 00:00:00 BC', '{"a": "\u001f \\. \n"}'), ('odd', null, 'infinity', 'null');
  insert into asset_images (hash, mime, bytes) values ('h', 'image/png', '\x89504e470d0a5c2e0a');
  insert into assets (key, family, image, in_catalogue) values
    ('item:1', 'item', 'h', true), ('item:2', 'item', null, false);
  insert into settings (name, value) values ('one', '0'), ('two', '0');
  insert into pgboss.job (name, data) values ('shard.unlink-user', '{"userId": 1}'),
    ('imports.atlas', '{}');
  select pgboss.create_queue(name, '{"policy": "standard"}')
    from unnest(array['__pgboss__send-it', 'former.queue']) name;
  insert into pgboss.job (name) values ('__pgboss__send-it'), ('former.queue');
  create table somebodys_own as select 1 as number;
  create table shard_events_rewritten (like shard_events)`;

/** Statements that link accounts and delete a user. Triggers record the changes of links. */
const accounts = `
  insert into shard_links (account_key, account, user_id, linked_at) values
    ('maple', 'Maple', 1, now()), ('oak', 'Oak', 2, now());
  insert into steam_links (steam_id, user_id, name) values ('76561198000000001', 1, 'Maple');
  delete from users where id = 2`;

/** Statements that insert rows into the tables whose triggers count or rank rows. */
const counted = [
  // Leave the houses out: the statement inserts many whatever the size, and no trigger counts them.
  ...shardRows({ players: 100, listings: 100, events: 100 }).filter(
    (statement) => !/^\s*insert into houses/.test(statement),
  ),
  ...survivalRows({ players: 100, listings: 100, events: 100 }),
  `insert into wiki_pages (slug, title, tags, body, body_html, toc, renderer, folded, status,
     updated_by)
   values ('one', 'One', array['a'], 'Text', 'Text', '[]', 1, 'one', 'published', 1)`,
  `insert into pages (slug, title, body, body_html, renderer, audience, status)
   values ('rules', 'Rules', 'Text', 'Text', 1, 'anonymous', 'draft')`,
  "update pages set slug = 'house-rules'",
  `insert into survival_link_codes (server_id, salt, digest, expires_at)
   values (1, 'salt', 'digest', now() + interval '1 hour')`,
  `insert into survival_standings (scope, stat, steam_id, value, reached_at, updated_at)
   values ('all', 'kills', '76561198000000001', 1, now(), now())`,
];

/** Returns the tables that have triggers, and those of them that are empty. */
const readTriggered = (url: string) =>
  withClient(url, async (client) => {
    const { rows: triggered } = await client.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger
       where not tgisinternal and tgparentid = 0 order by name`,
    );
    const names = triggered.map(({ name }) => name);
    const counts = names.map((name) => `select '${name}' as name where not exists (table ${name})`);
    const { rows: empty } = await client.query<{ name: string }>(counts.join(" union all "));
    return { names, empty: empty.map(({ name }) => name) };
  });

/** Returns the disabled triggers. */
const readTurnedOff = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select tgname from pg_trigger where tgenabled <> 'O'");
    return rows;
  });

/**
 * Returns a transaction that sets two settings to the same number. So each snapshot must contain equal values.
 */
const writePair = (number: number) => `begin;
  update settings set value = '${number}' where name = 'one';
  select pg_sleep(0.001);
  update settings set value = '${number}' where name = 'two'; commit`;

async function writeUntil(isOver: Promise<unknown>, url: string): Promise<number> {
  return withClient(url, async (client) => {
    const state = { written: 0, goesOn: true };
    void isOver.finally(() => (state.goesOn = false));
    while (state.goesOn) await client.query(writePair((state.written += 1)));
    return state.written;
  });
}

/** Starts an API on the database in the data folder. */
async function withSite<T>(work: (url: string, api: ApiProcess) => Promise<T>): Promise<T> {
  return withOwnDatabase(data, async (url) => {
    const { JWT_KEYS, SECRETS_KEYS } = JSON.parse(
      readFileSync(path.join(data, "keys.json"), "utf8"),
    ) as Record<string, string>;
    const database = { url, drop: () => Promise.resolve() };
    const api = await startApiProcess(database, { JWT_KEYS, SECRETS_KEYS });
    try {
      return await work(url, api);
    } finally {
      await api.stop();
    }
  });
}

/** Starts an API on a database that is kept afterwards. */
async function withApi<T>(
  database: TestDatabase,
  work: (api: ApiProcess) => Promise<T>,
): Promise<T> {
  const api = await startApiProcess(database);
  try {
    return await work(api);
  } finally {
    await api.stop();
  }
}

async function register(api: ApiProcess, username: string) {
  const { password } = owner;
  const made = await callRoute(api, "POST /auth/register", { body: { username, password } });
  const { id } = made.body as { id: number };
  return { id, headers: { cookie: cookieOf(made, "session") ?? "" } };
}

describe("a backup of a machine whose database is destroyed", () => {
  let before: unknown;
  let made: ProgramResult;
  let written: number;

  beforeAll(async () => {
    const environment = { ...machine, LOG_LEVEL: "silent" };
    const migrations = "jobs/commands/migrate.ts";
    await runProgram(migrations, { given: [], folder, environment });
    await run("user", ["add", owner.username, "--role", "admin", "--stdin"]);
    await withOwnDatabase(data, async (url) => {
      await withClient(url, (client) => client.query(fill));
      before = await readAll(url);
      const backing = backUp();
      written = await writeUntil(backing, url);
      made = await backing;
    });
    copyFileSync(path.join(data, "keys.json"), keys);
    rmSync(data, { recursive: true });
  });

  it("is made while other transactions write, in a file that only its owner can read", () => {
    expect(made).toMatchObject({ code: 0, complained: "" });
    expect(made.said).toContain(
      `Keep ${path.join(data, "keys.json")} and vapid-key of the same folder too`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(written).toBeGreaterThan(10);
  });

  it("can be checked in a temporary database before it is restored", async () => {
    const checked = await run("restore", ["--check", file]);
    expect(checked).toMatchObject({ code: 0, complained: "" });
    expect(checked.said).toMatch(
      /^complete: \d+ rows of \d+ tables, .*every restored row equals its row/,
    );
    expect(checked.said).toContain("do not belong to this service: public.somebodys_own\n");
    expect(checked.said).toContain(`administrators: ${owner.username}\n`);
    expect(existsSync(path.join(data, "db"))).toBe(false);
  });

  it("restores all rows as they were at one moment, and its users can sign in", async () => {
    mkdirSync(data, { recursive: true });
    copyFileSync(keys, path.join(data, "keys.json"));
    expect(await run("restore", [file])).toMatchObject({ code: 0, complained: "" });
    await withSite(async (url, api) => {
      expect(await readAll(url)).toEqual(before);
      const cookie = await logIn(api, owner);
      const { body } = await callRoute(api, "GET /auth/me", { headers: { cookie } });
      expect(body).toMatchObject({ username: owner.username, role: "admin" });
      await withClient(url, async (client) => {
        const { rows } = await client.query("select value from settings order by name");
        expect(rows).toHaveLength(2);
        expect(rows[0]).toEqual(rows[1]);
        const { rows: applied } = await client.query("select name from migrations order by name");
        expect(applied).toEqual((await listMigrationNames()).map((name) => ({ name })));
      });
    });
    // The new user gets the next id, so the sequences were restored too.
    expect((await run("user", ["add", "wren", "--role", "player", "--stdin"])).code).toBe(0);
  });

  it("is not restored over existing users", async () => {
    const again = await run("restore", [file]);
    expect([again.code, again.complained]).toEqual([
      1,
      expect.stringMatching(
        /^The database already contains 5 users, and a backup can only be restored into/,
      ),
    ]);
  });
});

/** Statements that store events with large ids. The empty partitions between these ids were dropped. */
const logOfLargeIds = `
  select make_shard_events_part(id) from unnest(array[7000000, 8000000, 9000000]) id;
  insert into shard_events (id, source, epoch, seq, kind, t, payload, reach)
    overriding system value
    select id, 'shard', 'then', id, 'champ.start', 1, '{}', 'public'
    from unnest(array[4999999, 7000000, 8999999]) id;
  select setval('shard_events_id_seq', 8999999)`;

/**
 * Statements that store an event with a small id after one with a large id. The partition for the small id was
 * dropped before.
 */
const logOutOfOrder = `
  drop table shard_events_0;
  insert into shard_events (id, source, epoch, seq, kind, t, payload, reach)
    overriding system value
    select id, 'shard', 'then', id, 'champ.start', 1, '{}', 'public'
    from unnest(array[100, 4999999]) id`;

/** Returns the ids of the events, each with its partition. */
const readPlaces = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select id::integer, tableoid::regclass::text as part from shard_events order by id`,
    );
    return rows;
  });

describe("a backup file", () => {
  const tampered = path.join(folder, "tampered.backup");
  const restoreTampered = async (bytes: Buffer) => {
    writeFileSync(tampered, bytes);
    const database = await createTestDatabase();
    const environment = { ...testEnvironment(database.url), LOG_LEVEL: "warn" };
    const { code, complained } = await run("restore", [tampered], environment);
    const users = await withClient(database.url, (client) => client.query("select from users"));
    await database.drop();
    return { code, complained, users: users.rowCount };
  };
  const text = () => gunzipSync(readFileSync(file));
  const changed = (from: string, to: string) =>
    gzipSync(Buffer.from(text().toString("latin1").replace(from, to), "latin1"));

  it.each([
    ["that is cut off", () => readFileSync(file).subarray(0, -40), "unexpected end of file"],
    [
      "without its last line",
      () => gzipSync(text().subarray(0, -300)),
      "the file ends before the end of the backup",
    ],
    [
      "with one letter changed",
      () => changed("robin", "robot"),
      "were changed after the backup was written",
    ],
    ["of another program", () => Buffer.from("PGDMP"), "incorrect header check"],
    [
      "of a newer release",
      () => changed(`"0001-foundation"`, `"9999-later"`),
      "made by the newer release",
    ],
  ])("%s is rejected, and no row of it is stored", async (_how, make, reason) => {
    expect(await restoreTampered(make())).toEqual({
      code: 1,
      complained: expect.stringMatching(new RegExp(`^The backup cannot be used: .*${reason}`)),
      users: 0,
    });
  });

  it("is named after its time, in the folder backups, if no name is given", async () => {
    const database = await createTestDatabase();
    const made = await run("backup", [], { ...testEnvironment(database.url), LOG_LEVEL: "warn" });
    await database.drop();
    expect(made).toMatchObject({ code: 0, complained: "" });
    const names = readdirSync(path.join(folder, "backups"));
    expect(names).toEqual([expect.stringMatching(/^guildhall-[\d-]{10}T[\d-]{8}Z\.backup$/)]);
    expect(made.said).toContain(path.join(folder, "backups", String(names[0])));
  });

  it("can be restored into another database than its source", async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const [source, target] = [from, to].map(({ url }) => ({
      ...testEnvironment(url),
      LOG_LEVEL: "warn",
    }));
    await withClient(from.url, (client) => client.query(fill));
    expect(await backUp(source)).toMatchObject({ code: 0, complained: "" });
    const restored = await run("restore", [file], target);
    expect(restored).toMatchObject({ code: 0, complained: "" });
    expect(await readAll(to.url)).toEqual(await readAll(from.url));
    await from.drop();
    await to.drop();
  });

  it("is restored without running the triggers that write other rows", async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const [source, target] = [from, to].map(({ url }) => ({
      ...testEnvironment(url),
      LOG_LEVEL: "warn",
    }));
    await withClient(from.url, async (client) => {
      await client.query(fill);
      await client.query("drop table somebodys_own");
      await client.query(accounts);
      for (const statement of counted) await client.query(statement);
    });
    const { names, empty } = await readTriggered(from.url);
    expect(names).toEqual(expect.arrayContaining(["shard_links", "steam_links", "users"]));
    // If this fails, a table has a new trigger: add rows for it to this test.
    expect(empty).toEqual([]);
    expect(await backUp(source)).toMatchObject({ code: 0, complained: "" });
    const checked = await run("restore", ["--check", file], source);
    expect(checked).toMatchObject({ code: 0, complained: "" });
    expect(checked.said).toContain("every restored row equals its row in the backup");
    expect(await run("restore", [file], target)).toMatchObject({ code: 0, complained: "" });
    expect(await readEvery(to.url)).toEqual(await readEvery(from.url));
    expect(await readTurnedOff(to.url)).toEqual([]);
    await from.drop();
    await to.drop();
  });

  it("does not reuse the ids of users who registered after the backup, whose sessions stay invalid", async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const [source, target] = [from, to].map(({ url }) => ({
      ...testEnvironment(url),
      LOG_LEVEL: "warn",
    }));
    const openRegistration =
      "insert into settings (name, value) values ('registration_enabled', 'true')";
    await withClient(from.url, (client) => client.query(openRegistration));
    expect(await backUp(source)).toMatchObject({ code: 0, complained: "" });
    const lost = await withApi(from, (api) => register(api, "robin"));
    expect(await run("restore", [file], target)).toMatchObject({ code: 0, complained: "" });
    await withApi(to, async (api) => {
      const { id } = await register(api, "wren");
      const { headers } = lost;
      expect((await callRoute(api, "GET /auth/me", { headers })).status).toBe(401);
      expect(id).toBeGreaterThan(lost.id);
    });
    await from.drop();
    await to.drop();
  });

  it("restores events into the same partitions, however high their ids are", async () => {
    const [from, to] = [await createTestDatabase(), await createTestDatabase()];
    const [source, target] = [from, to].map(({ url }) => ({
      ...testEnvironment(url),
      LOG_LEVEL: "warn",
    }));
    await withClient(from.url, (client) => client.query(logOfLargeIds));
    expect(await backUp(source)).toMatchObject({ code: 0, complained: "" });
    expect(await run("restore", [file], target)).toMatchObject({ code: 0, complained: "" });
    const places = await readPlaces(from.url);
    expect(places).toEqual([
      { id: 4_999_999, part: "shard_events_4000000" },
      { id: 7_000_000, part: "shard_events_7000000" },
      { id: 8_999_999, part: "shard_events_8000000" },
    ]);
    expect(await readPlaces(to.url)).toEqual(places);
    await from.drop();
    await to.drop();
  });

  it("passes its check even if a partitioned table returns its rows in another order", async () => {
    const from = await createTestDatabase();
    const source = { ...testEnvironment(from.url), LOG_LEVEL: "warn" };
    await withClient(from.url, (client) => client.query(logOutOfOrder));
    expect(await backUp(source)).toMatchObject({ code: 0, complained: "" });
    const checked = await run("restore", ["--check", file], source);
    expect(checked).toMatchObject({ code: 0, complained: "" });
    expect(checked.said).toContain("every restored row equals its row in the backup");
    await from.drop();
  });

  it("is read without copying a row several times in memory, however large the row is", async () => {
    const row = Buffer.from(`${randomBytes(2_000_000).toString("hex")}\n`);
    const sum = { rows: 1, sha256: hash("sha256", row) };
    const lines = ['{"table":"pictures"}\n', row, `\\.\n${JSON.stringify(sum)}\n`, "{}\n"];
    const large = path.join(folder, "large.backup");
    writeFileSync(large, gzipSync(Buffer.concat(lines.map((line) => Buffer.from(line)))));
    const joined = vi.spyOn(Buffer, "concat");
    const reader = new BackupReader(large);
    await reader.skipTable("pictures");
    await reader.readClosing();
    const copied = joined.mock.results.map(({ value }) => (value as Buffer).length);
    joined.mockRestore();
    expect(copied.reduce((total, length) => total + length, 0)).toBeLessThan(2 * row.length);
  });
});
