import { migrateDown } from "../../migrations/migrate.ts";
import { release } from "../../migrations/release.ts";
import {
  type Config,
  readConfigOrExit,
  readEnvironment,
} from "../../shared/platform/config/config.ts";
import { directUrlOf } from "../../shared/platform/db/connection/session-settings.ts";
import { redirectConsoleToLog, createLogger } from "../../shared/platform/log.ts";
import { onParentExit } from "../../shared/platform/process/process.ts";
import { runAndExplainFailure, withDatabase } from "./shell.ts";

const { DATABASE_URL: given, NODE_ENV } = readEnvironment();
// Production requires DATABASE_URL. Elsewhere the default is the database that `npm start` runs on this machine.
if (given === undefined && NODE_ENV !== "production") {
  await runAndExplainFailure(() => withDatabase(runRelease));
} else {
  await runRelease(readConfigOrExit());
}

/** Returns the migrations to apply; undefined for all. A restore needs the schema at the time of the backup. */
function readWantedMigrations(): readonly string[] | undefined {
  const place = process.argv.indexOf("--only");
  return place < 0 ? undefined : process.argv[place + 1]?.split(",");
}

async function runRelease(config: Config): Promise<void> {
  const log = createLogger("release", config.LOG_LEVEL);
  redirectConsoleToLog(log);
  try {
    if (process.argv.includes("--down")) {
      log.info({ undone: await migrateDown(directUrlOf(config)) }, "undid a migration");
      return;
    }
    await release(config, log, readWantedMigrations());
  } catch (error) {
    log.fatal({ err: error }, "the release failed");
    process.exitCode = 1;
    return;
  }
  // `nf`, which sets this variable, stops all processes as soon as one ends. So this process must not end.
  if (process.env["FOREMAN_WORKER_NAME"] === undefined) return;
  log.info(
    "the release is done: the process stays, because its runner would stop all processes with it",
  );
  setInterval(() => undefined, 1 << 30);
  onParentExit(() => process.exit(0));
}
