import { Client } from "pg";

import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../../shared/platform/db/connection/connection.ts";
import { createTestUser, type TestUser } from "../../support/accounts/sign-in.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { testEnvironment } from "../../support/service/server.ts";
import { startServiceProcess } from "../parts/processes.ts";
import { BenchProgram } from "../parts/remote.ts";
import { recordStatements } from "../parts/statements.ts";
import { makeKey } from "../plugin/make-key.ts";
import type { ChurnTarget } from "./churn.ts";

/** A site of three processes, with the program that loads them. */
export interface ChurnSite {
  readonly client: Client;
  readonly churn: BenchProgram;
  stop(): Promise<void>;
}

const userCount = 50;

/** The numbers of old completed jobs, of old revoked sessions and of old counts of limits. */
const oldRows = 20_000;

export async function openSite(databaseUrl: string): Promise<ChurnSite> {
  const client = new Client(databaseUrl);
  await client.connect();
  await recordStatements(client);
  await client.query("update shardlink set kind = 'plugin', enabled = true");
  const key = await makeKey("shard", client);
  const users = await createUsers(databaseUrl);
  await insertOldRows(client);
  const [web, ingest, worker] = await Promise.all([
    startServiceProcess("web", databaseUrl, { TRUST_PROXY: "1" }),
    startServiceProcess("ingest", databaseUrl),
    startServiceProcess("worker", databaseUrl),
  ]);
  const churn = await BenchProgram.start("held-snapshot/churn.ts");
  await churn.call("prepare", { url: web.url, databaseUrl, key, users } satisfies ChurnTarget);
  const stop = async () => {
    await churn.stop();
    await Promise.all([web.stop(), ingest.stop(), worker.stop(), client.end()]);
  };
  return { client, churn, stop };
}

async function createUsers(databaseUrl: string): Promise<TestUser[]> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, "bench");
  const users: TestUser[] = [];
  while (users.length < userCount) {
    users.push(await createTestUser({ context: { config, sequelize } }));
  }
  await sequelize.close();
  return users;
}

/**
 * Inserts rows that stay for all runs. PostgreSQL scans an almost empty table without an index, and a prepared
 * statement keeps that plan while the table grows, until autovacuum analyzes the table.
 */
async function insertOldRows(client: Client): Promise<void> {
  await client.query(
    `insert into pgboss.job (name, state, created_on, started_on, completed_on)
     select 'auth.send-mail', 'completed', at, at, at
     from generate_series(1, $1::integer), (select now() - interval '1 day') old (at)`,
    [oldRows],
  );
  await client.query(
    `insert into revoked_tokens select gen_random_uuid(), (select min(id) from users), 'infinity'
     from generate_series(1, $1::integer)`,
    [oldRows],
  );
  await client.query(
    `insert into rate_limits (key, points, expire)
     select 'old:' || n, 1, 9e15 from generate_series(1, $1::integer) n`,
    [oldRows],
  );
}

/** Ends the churn and removes its rows, so that the next run begins with tables of the same size. */
export async function endRun({ churn, client }: ChurnSite): Promise<void> {
  await churn.call("end");
  await waitUntil("all calls of the plugin are stored", async () => {
    const waiting = await client.query("select from plugin_inbox where kind = 'events' limit 1");
    return waiting.rowCount === 0;
  });
  const changed = await client.query<{ table: string }>(
    `select relid::regclass::text as "table" from pg_stat_user_tables
     where n_tup_ins + n_tup_upd + n_tup_del > 0`,
  );
  await client.query("truncate shard_events, activity_log");
  await client.query("delete from rate_limits where key not like 'old:%'");
  await client.query("delete from revoked_tokens where expires_at < 'infinity'");
  await client.query(
    `delete from pgboss.job
     where name = 'auth.send-mail' and created_on > now() - interval '12 hours'`,
  );
  for (const { table } of changed.rows) await client.query(`vacuum (full, analyze) ${table}`);
  await client.query("checkpoint");
  // This session would report its deletions only after the reset.
  await client.query("select pg_stat_force_next_flush()");
  await client.query("select pg_stat_reset()");
}

/** Opens a transaction and leaves it idle. PostgreSQL then removes no row that becomes dead. */
export async function holdSnapshot(databaseUrl: string): Promise<Client> {
  const holder = new Client(databaseUrl);
  await holder.connect();
  await holder.query("begin isolation level repeatable read; select txid_current()");
  return holder;
}
