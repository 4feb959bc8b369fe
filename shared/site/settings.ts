import Joi from "joi";
import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { recordActivity } from "./activity.ts";
import { storeSetting } from "./store-setting.ts";

interface Setting<T> {
  readonly schema: Joi.AnySchema<T>;
  readonly byDefault: T;
}

const setting = <T>(schema: Joi.AnySchema<T>, byDefault: T): Setting<T> => ({ schema, byDefault });

/** CATALOGUE of what administrators switch while the service runs. */
export const settings = {
  registration_enabled: setting(Joi.boolean(), false),
  game_account_signup: setting(Joi.boolean(), false),
  mobile_app_links_enabled: setting(Joi.boolean(), false),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

export type Settings = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** Every setting: what is stored, or its default. */
export async function readSettings(
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<Settings> {
  const rows = await sequelize.query<{ name: string; value: unknown }>(
    "select name, value from settings where name = any($1)",
    { bind: [settingNames], type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const all = settingNames.map((name) => [name, stored.get(name) ?? settings[name].byDefault]);
  return Object.fromEntries(all) as Settings;
}

export async function readSetting<Name extends SettingName>(
  name: Name,
  sequelize: Sequelize,
): Promise<Settings[Name]> {
  return (await readSettings(sequelize))[name];
}

/** Stores the settings given; the others stay. @returns all of them */
export function writeSettings(
  change: Partial<Settings>,
  actorId: number,
  { sequelize }: Context,
): Promise<Settings> {
  return inTransaction(sequelize, async (transaction) => {
    for (const [name, value] of Object.entries(change)) {
      await storeSetting(name, value, actorId, sqlOf(transaction));
    }
    const line = { actorId, action: "site.settings_changed", detail: change };
    await recordActivity(line, transaction);
    return readSettings(sequelize, transaction);
  });
}
