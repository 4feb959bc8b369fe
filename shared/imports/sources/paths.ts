import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { clearSetting, readSetting, storeSetting } from "../../platform/settings/settings.ts";

/** CATALOGUE of import paths. The setting overrides the environment variable. */
const paths = {
  atlas: { setting: "atlas_path", variable: "ATLAS_PATH" },
  clilocs: { setting: "cliloc_path", variable: "CLILOC_PATH" },
} as const;

export type ImportPath = keyof typeof paths;

/** Reads an import path; null if neither the setting nor the variable has one. */
export async function readImportPath(
  name: ImportPath,
  { models, config }: Pick<Context, "models" | "config">,
): Promise<string | null> {
  const { setting, variable } = paths[name];
  return (await readSetting(setting, { models })) ?? config[variable] ?? null;
}

/** Stores an import path. A blank path deletes the setting, so the variable applies again. */
export async function writeImportPath(
  name: ImportPath,
  path: string,
  caller: Caller,
  { sequelize }: Context,
): Promise<void> {
  const { setting } = paths[name];
  const value = path.trim();
  await inCallersTransaction(sequelize, async (transaction) => {
    if (value === "") await clearSetting(setting, transaction);
    else await storeSetting(setting, value, caller.userId, transaction);
    const action = `import.${name}.path_changed`;
    await recordActivity({ actor: caller, action, detail: { path: value } }, transaction);
  });
}
