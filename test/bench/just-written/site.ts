import { Client } from "pg";

import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { startContext } from "../../../shared/ops/start-context.ts";
import { loadConfig } from "../../../shared/platform/config/config.ts";
import type { RandomSource } from "../../simulator/random.ts";
import { queryOnce } from "../../support/database/query-once.ts";
import { testEnvironment } from "../../support/service/server.ts";

/** A database without statistics, with the parts of the service that write to it. */
export interface WritableSite {
  readonly databaseUrl: string;
  readonly client: Client;
  readonly context: SiteContext;
  readonly isShort: boolean;
}

/** Draws the path of a public read. */
export type PathDrawer = (random: RandomSource) => string;

/** Writes the data of a domain. @returns the reads of this data, by name */
export type DomainWriter = (site: WritableSite) => Promise<Readonly<Record<string, PathDrawer>>>;

/** Only the product and the benchmark analyze tables, so that the run does not depend on the time of a vacuum. */
const disableAutovacuum = `
  do $$ declare name regclass; begin
    for name in
      select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop
      execute format('alter table %s set (autovacuum_enabled = off)', name);
    end loop;
  end $$`;

/** Opens a site, runs `work` and closes the site, so that nobody is connected to its database any more. */
export async function writeToSite<T>(
  databaseUrl: string,
  isShort: boolean,
  work: (site: WritableSite) => Promise<T>,
): Promise<T> {
  await queryOnce(databaseUrl, disableAutovacuum);
  const { context, parts } = await startContext(loadConfig(testEnvironment(databaseUrl)), "bench");
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    return await work({ databaseUrl, client, context, isShort });
  } finally {
    await client.end();
    for (const part of parts.toReversed()) await part.stop();
  }
}

/** Copies a database to which nobody is connected, with its statistics. @returns the URL of the copy */
export async function copyDatabase(databaseUrl: string, suffix: string): Promise<string> {
  const [copy, admin] = [new URL(databaseUrl), new URL(databaseUrl)];
  copy.pathname += `-${suffix}`;
  admin.pathname = "/postgres";
  const [from, to] = [databaseUrl, copy].map((url) => new URL(url).pathname.slice(1));
  // The default strategy copies through the WAL and takes three times as long.
  await queryOnce(admin.href, `create database "${to}" template "${from}" strategy file_copy`);
  return copy.href;
}

/** Returns the path of a public read with these parameters. */
export function pathOf(
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return `/api/v1/public/${route}?${parameters.toString()}`;
}
