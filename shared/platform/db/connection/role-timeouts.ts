import type { Config } from "../../config/config.ts";
import type { Logger } from "../../log.ts";
import { createClient } from "./client.ts";
import type { SchemaLock } from "./schema-lock.ts";
import { sessionSettings, defaultTimeouts } from "./session-settings.ts";

/**
 * Stores the session settings as defaults of the role in this database. A transaction pooler opens
 * connections itself, and clients cannot set anything on them. Existing connections keep their settings.
 */
export async function setRoleTimeouts(
  config: Config,
  log: Logger,
  _held: SchemaLock,
): Promise<void> {
  const client = createClient({
    url: config.DATABASE_URL,
    applicationName: "guildhall release",
    patience: defaultTimeouts(config),
  });
  try {
    await client.connect();
    await client.query(roleTimeoutsSql(config));
    log.info("the role's timeouts are set");
  } catch (error) {
    // Only warn, because the service works without these timeouts. The doctor tells the administrator how to set
    // them.
    log.warn({ err: error }, "the role's timeouts could not be set");
  } finally {
    await client.end();
  }
}

const roleSettings = (config: Config) => ({
  ...sessionSettings(defaultTimeouts(config)),
  timezone: "UTC",
});

const roleTimeoutsSql = (config: Config): string => `
  do $$ declare name text; value text; begin
    for name, value in select * from jsonb_each_text('${JSON.stringify(roleSettings(config))}') loop
      execute format('alter role %I in database %I set %I = %L',
        current_user, current_database(), name, value);
    end loop;
  end $$`;
