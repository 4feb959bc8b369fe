import type { Config } from "../../config/config.ts";
import type { Logger } from "../../log.ts";
import { createClient } from "./client.ts";
import type { HeldSchema } from "./schema-lock.ts";
import { settingsByName, usualPatience } from "./session-settings.ts";

/**
 * Makes what every session should begin with the default of the role, in this database alone: a
 * transaction pooler hands on connections that it made itself, and no setting of its clients lasts.
 * Connections that the pooler holds already keep what they began with.
 */
export async function setRoleTimeouts(
  config: Config,
  log: Logger,
  _held: HeldSchema,
): Promise<void> {
  const client = createClient({
    url: config.DATABASE_URL,
    applicationName: "guildhall release",
    patience: usualPatience(config),
  });
  try {
    await client.connect();
    await client.query(roleTimeoutsSql(config));
    log.info("the role's timeouts are set");
  } catch (error) {
    // The service runs without them: the doctor says what the administrator should do.
    log.warn({ err: error }, "the role's timeouts could not be set");
  } finally {
    await client.end();
  }
}

const roleSettings = (config: Config) => ({
  ...settingsByName(usualPatience(config)),
  timezone: "UTC",
});

const roleTimeoutsSql = (config: Config): string => `
  do $$ declare name text; value text; begin
    for name, value in select * from jsonb_each_text('${JSON.stringify(roleSettings(config))}') loop
      execute format('alter role %I in database %I set %I = %L',
        current_user, current_database(), name, value);
    end loop;
  end $$`;
