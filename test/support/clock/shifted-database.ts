import { Client } from "pg";

/** The SQL functions that return the present time. */
const clocks = {
  now: "stable",
  transaction_timestamp: "stable",
  statement_timestamp: "stable",
  clock_timestamp: "volatile",
} as const;

const functions = Object.entries(clocks).map(
  ([name, volatility]) =>
    `create function shifted.${name}() returns timestamptz language sql ${volatility}
     return pg_catalog.${name}() + coalesce(current_setting('shifted.off', true), '0')::interval`,
);

const withClock = `attgenerated = ''
  and pg_get_expr(adbin, adrelid) ~ '(${Object.keys(clocks).join("|")})\\('`;

/**
 * A column default keeps the function with which it was created, so create each default that returns the time
 * anew.
 */
const rebindDefaults = `
do $$
declare
  made text[];
  one text;
begin
  select array_agg(format('alter table %s alter column %I set default %s',
    adrelid::regclass, attname, pg_get_expr(adbin, adrelid)))
  into made from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
  where ${withClock};
  set local search_path = shifted, pg_catalog, public;
  foreach one in array made loop
    execute one;
  end loop;
end $$`;

/**
 * Gives a database a clock that tests can shift. The service and pg-boss see the shifted time, even
 * in open connections. Call it before they connect.
 * @returns a function that sets the shift in seconds
 */
export async function shiftDatabase(
  databaseUrl: string,
): Promise<(seconds: number) => Promise<void>> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await inClient(databaseUrl, [
    "create schema shifted",
    ...functions,
    rebindDefaults,
    `alter database ${name} set search_path = shifted, pg_catalog, public`,
  ]);
  return (seconds) =>
    inClient(databaseUrl, [
      `alter system set shifted.off = '${seconds} seconds'`,
      "select pg_reload_conf()",
    ]);
}

async function inClient(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new Client(databaseUrl);
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}
