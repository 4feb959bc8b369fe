import { parseArgs } from "node:util";

import { loadConfig, readEnvironment } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { directUrlOf } from "../../shared/platform/db/connection/session-settings.ts";
import { inspectSite, type RestoredSiteReport } from "./backup/inspect.ts";
import { restoreBackup, type RestoreResult } from "./backup/restore.ts";
import { LaunchError } from "./launch/launch-error.ts";
import { runScript } from "./launch/script.ts";
import { withTemporaryDatabase } from "./own-database/temporary-database.ts";
import { runAndExplainFailure, requireArgument, printText, withDatabase } from "./shell.ts";

const usage = `npm run restore -- FILE         restores a backup into an empty database
npm run restore:check -- FILE   restores it into a temporary database, and compares every row
`;

await runAndExplainFailure(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: "boolean", default: false } },
  });
  const file = requireArgument(positionals[0], "FILE");
  const environment = readEnvironment();
  if (!values.check) {
    return withDatabase((config) => restore(directUrlOf(config), file, false));
  }
  const given = environment["DATABASE_LISTEN_URL"] ?? environment["DATABASE_URL"];
  await withTemporaryDatabase(given, (url) => restore(url, file, true));
}, usage);

async function restore(url: string, file: string, isCheck: boolean): Promise<void> {
  const restored = await restoreBackup(url, file, migrate, isCheck);
  const config = loadConfig({ ...readEnvironment(), DATABASE_URL: url });
  const sequelize = createConnectionPool(config, "restore");
  try {
    printText(describe(restored, isCheck));
    if (restored.leftOut.length > 0) {
      printText(
        `not restored, because they do not belong to this service: ${restored.leftOut.join(", ")}`,
      );
    }
    explain(await inspectSite(config, sequelize));
  } finally {
    await sequelize.close();
  }
}

async function migrate(url: string, only?: readonly string[]): Promise<void> {
  const script = {
    name: "migrations",
    file: "jobs/commands/migrate.ts",
    arguments: only === undefined ? [] : ["--only", only.join(",")],
    environment: {
      ...readEnvironment(),
      LOG_LEVEL: "warn",
      DATABASE_URL: url,
      DATABASE_LISTEN_URL: url,
    },
  };
  await runScript(script, new AbortController().signal);
}

function describe({ header, closing }: RestoreResult, isCheck: boolean): string {
  const what = `${closing.rows} rows of ${closing.tables} tables, made ${header.madeAt} by release ${header.version}`;
  return isCheck
    ? `complete: ${what}; every restored row equals its row in the backup`
    : `restored: ${what}`;
}

/** Prints the result. @throws {LaunchError} if the available keys are not those of the backup */
function explain({ admins, sealedFor, lockedOut }: RestoredSiteReport): void {
  printText(`administrators: ${admins.join(", ") || "none"}`);
  const faults = [
    sealedFor.length > 0 && `SECRETS_KEYS has no key that decrypts ${sealedFor.join(", ")}`,
    lockedOut > 0 && `PASSWORD_PEPPERS lacks the pepper of ${lockedOut} users`,
  ].filter((text) => text !== false);
  if (faults.length === 0) return printText("keys: the present keys decrypt everything");
  throw new LaunchError(
    `${faults.join("; ")}: bring back the keys of the backup (the variables, or keys.json of DATA_FOLDER)`,
  );
}
