import { QueryTypes, type Sequelize } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordActivity } from "../site/activity.ts";
import { storeSetting } from "../site/store-setting.ts";

/** CATALOGUE of paths that imports read from: each a setting that wins over its variable. */
const paths = {
  atlas: { setting: "atlas_path", variable: "ATLAS_PATH" },
  clilocs: { setting: "cliloc_path", variable: "CLILOC_PATH" },
} as const;

export type ImportPath = keyof typeof paths;

/** @returns where to read, or null when neither the setting nor the variable says */
export async function readImportPath(
  name: ImportPath,
  { sequelize, config }: Pick<Context, "sequelize" | "config">,
): Promise<string | null> {
  const { setting, variable } = paths[name];
  return (await readSetting(setting, sequelize)) ?? config[variable] ?? null;
}

async function readSetting(name: string, sequelize: Sequelize): Promise<string | undefined> {
  const [row] = await sequelize.query<{ value: string }>(
    "select value from settings where name = $1",
    { bind: [name], type: QueryTypes.SELECT },
  );
  return row?.value;
}

/** Stores where to read from; a blank path gives way to the deploy's own again. */
export async function writeImportPath(
  name: ImportPath,
  path: string,
  caller: Caller,
  { sequelize }: Context,
): Promise<void> {
  const { setting } = paths[name];
  const value = path.trim();
  await inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    if (value === "") await sql.query("delete from settings where name = $1", [setting]);
    else await storeSetting(setting, value, caller.userId, sql);
    const action = `import.${name}.path_changed`;
    await recordActivity({ actorId: caller.userId, action, detail: { path: value } }, transaction);
  });
}
