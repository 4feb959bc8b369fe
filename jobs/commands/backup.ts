import { statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { readSchemaState } from "../../shared/ops/schema.ts";
import { dataFolder } from "../../shared/platform/config/local-keys.ts";
import { directUrlOf } from "../../shared/platform/db/connection/session-settings.ts";
import { writeBackup } from "./backup/write-backup.ts";
import { LaunchError } from "./launch/launch-error.ts";
import type { ShellContext } from "./launch/shell-context.ts";
import { runShellTask, printText } from "./shell.ts";

await runShellTask("backup", async ({ config, sequelize }: ShellContext) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const file = path.resolve(positionals[0] ?? nameFor(new Date()));
  const { applied } = await readSchemaState(sequelize);
  if (applied.length === 0) throw new LaunchError("There is no schema to back up");
  const { tables, rows } = await writeBackup(directUrlOf(config), file);
  const megabytes = (statSync(file).size / 1_000_000).toFixed(1);
  printText(`${file}: ${rows} rows of ${tables} tables, ${megabytes} MB`);
  printText(adviceFor(process.env));
});

function nameFor(time: Date): string {
  return `backups/guildhall-${time.toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;
}

/** Names the keys to store apart from the backup, which holds only encrypted secrets. */
function adviceFor(environment: NodeJS.ProcessEnv): string {
  const areSet = environment["JWT_KEYS"] && environment["SECRETS_KEYS"];
  const keys = areSet
    ? "JWT_KEYS, SECRETS_KEYS, VAPID_KEY and PASSWORD_PEPPERS"
    : `${path.join(dataFolder(environment), "keys.json")} and vapid-key of the same folder`;
  return `Keep ${keys} too, but not with the backup. To check the backup: npm run restore:check -- FILE`;
}
