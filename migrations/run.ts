import { readConfig } from "../shared/config/read-config.ts";
import { createLogger } from "../shared/log.ts";
import { installQueues } from "../shared/queue/queue.ts";
import { migrate, migrateDown } from "./migrate.ts";

const config = readConfig();
const log = createLogger("release", config.LOG_LEVEL);

if (process.argv.includes("--down")) {
  log.info({ undone: await migrateDown(config.DATABASE_URL) }, "took back a migration");
} else {
  log.info({ ran: await migrate(config.DATABASE_URL) }, "schema is up to date");
  await installQueues(config, log);
  log.info("queues are up to date");
}
