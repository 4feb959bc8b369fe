import type { Config } from "../shared/config/config.ts";
import { readConfig } from "../shared/config/read-config.ts";
import { readEnvironment } from "../shared/config/read-environment.ts";
import { directUrlOf } from "../shared/db/session-settings.ts";
import { explainFailures, withDatabase } from "../shared/local/shell.ts";
import { createLogger } from "../shared/log.ts";
import { logStrayOutput } from "../shared/ops/stray-output.ts";
import { whenStarterIsGone } from "../shared/starter.ts";
import { migrateDown } from "./migrate.ts";
import { release } from "./release.ts";

const { DATABASE_URL: given, NODE_ENV } = readEnvironment();
// A host must say which database it means; one machine has its own.
if (given === undefined && NODE_ENV !== "production") {
  await explainFailures(() => withDatabase(runRelease));
} else {
  await runRelease(readConfig());
}

/** The migrations that are wanted, where not all are: a backup is restored into its own schema. */
function wanted(): readonly string[] | undefined {
  const place = process.argv.indexOf("--only");
  return place < 0 ? undefined : process.argv[place + 1]?.split(",");
}

async function runRelease(config: Config): Promise<void> {
  const log = createLogger("release", config.LOG_LEVEL);
  logStrayOutput(log);
  try {
    if (process.argv.includes("--down")) {
      log.info({ undone: await migrateDown(directUrlOf(config)) }, "took back a migration");
      return;
    }
    await release(config, log, wanted());
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
