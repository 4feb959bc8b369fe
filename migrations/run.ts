import type { Config } from "../shared/config/config.ts";
import { readConfig } from "../shared/config/read-config.ts";
import { readEnvironment } from "../shared/config/read-environment.ts";
import { setRoleTimeouts } from "../shared/db/role-timeouts.ts";
import { directUrlOf, isPooled } from "../shared/db/session-settings.ts";
import { explainFailures, withDatabase } from "../shared/local/shell.ts";
import { createLogger } from "../shared/log.ts";
import { logStrayOutput } from "../shared/ops/stray-output.ts";
import { installQueues } from "../shared/queue/queue.ts";
import { whenStarterIsGone } from "../shared/starter.ts";
import { migrate, migrateDown } from "./migrate.ts";

const { DATABASE_URL: given, NODE_ENV } = readEnvironment();
// A host must say which database it means; one machine has its own.
if (given === undefined && NODE_ENV !== "production") {
  await explainFailures(() => withDatabase(release));
} else {
  await release(readConfig());
}

/** The migrations that are wanted, where not all are: a backup is restored into its own schema. */
function wanted(): readonly string[] | undefined {
  const place = process.argv.indexOf("--only");
  return place < 0 ? undefined : process.argv[place + 1]?.split(",");
}

async function release(config: Config): Promise<void> {
  const log = createLogger("release", config.LOG_LEVEL);
  logStrayOutput(log);
  const url = directUrlOf(config);
  try {
    if (process.argv.includes("--down")) {
      log.info({ undone: await migrateDown(url) }, "took back a migration");
      return;
    }
    log.info({ ran: await migrate(url, wanted()) }, "schema is up to date");
    await installQueues(config, log);
    log.info("queues are up to date");
    if (isPooled(config)) await setRoleTimeouts(config, log);
  } catch (error) {
    log.fatal({ err: error }, "the release failed");
    process.exitCode = 1;
    return;
  }
  // `nf` ends all as soon as one ends, and says so to those it starts by this variable.
  if (process.env["FOREMAN_WORKER_NAME"] === undefined) return;
  log.info("the release is done and stays: its runner would end all with it");
  setInterval(() => undefined, 1 << 30);
  whenStarterIsGone(() => process.exit(0));
}
