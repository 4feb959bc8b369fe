import type { Config } from "../shared/platform/config/config.ts";
import { setRoleTimeouts } from "../shared/platform/db/connection/role-timeouts.ts";
import { withSchemaLock, retryWhileLocked } from "../shared/platform/db/connection/schema-lock.ts";
import { directUrlOf, hasPooler } from "../shared/platform/db/connection/session-settings.ts";
import type { Logger } from "../shared/platform/log.ts";
import { installQueues } from "../shared/platform/queue/install-queues.ts";
import { migrateLocked } from "./migrate.ts";

/**
 * Updates the schema, the queues and the role's settings to this release. Concurrent releases run one
 * after another.
 * @param only names of migrations to run; all by default
 */
export function release(config: Config, log: Logger, only?: readonly string[]): Promise<void> {
  return withSchemaLock(directUrlOf(config), async (held) => {
    log.info({ ran: await migrateLocked(held, only) }, "schema is up to date");
    await retryWhileLocked(() => installQueues(config, log, held));
    log.info("queues are up to date");
    if (hasPooler(config)) await setRoleTimeouts(config, log, held);
  });
}
