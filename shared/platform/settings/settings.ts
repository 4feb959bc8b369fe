import type { Sequelize, Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { Caller } from "../access/caller.ts";
import { isStaff } from "../access/roles.ts";
import { recordActivity } from "../activity/activity.ts";
import { inCallersTransaction, modelsOf } from "../db/transaction.ts";
import { AppError } from "../errors/errors.ts";
import { notify } from "../notify/channels.ts";
import type { WatchedValue } from "../notify/live-value.ts";
import {
  allSettings,
  listedSettingNames,
  type SettingName,
  type Settings,
  type SettingValues,
} from "./catalogue.ts";

interface Stores {
  readonly models: Models;
}

interface ChangingStores extends Stores {
  readonly sequelize: Sequelize;
  readonly settings: WatchedValue<Settings>;
}

/** A setting's value. `changedAt` is null if the setting was never stored, so it has its default. */
export interface StoredSetting<Name extends SettingName> {
  readonly value: SettingValues[Name];
  readonly changedAt: Date | null;
}

export async function readStoredSetting<Name extends SettingName>(
  name: Name,
  { models }: Stores,
  transaction?: Transaction,
): Promise<StoredSetting<Name>> {
  const row = await models.Setting.findByPk(name, { ...(transaction && { transaction }) });
  if (!row) return { value: allSettings[name].byDefault as SettingValues[Name], changedAt: null };
  return { value: row.value as SettingValues[Name], changedAt: row.changedAt };
}

export const readSetting = async <Name extends SettingName>(
  name: Name,
  stores: Stores,
): Promise<SettingValues[Name]> => (await readStoredSetting(name, stores)).value;

export const defaultSettings = Object.fromEntries(
  listedSettingNames.map((name) => [name, allSettings[name].byDefault]),
) as Settings;

export async function readSettings(
  { models }: Stores,
  transaction?: Transaction,
): Promise<Settings> {
  const rows = await models.Setting.findAll({
    where: { name: listedSettingNames },
    ...(transaction && { transaction }),
  });
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const all = listedSettingNames.map((name) => [
    name,
    stored.get(name) ?? allSettings[name].byDefault,
  ]);
  return Object.fromEntries(all) as Settings;
}

/** @throws AppError conflict if the change would lock out the caller */
export async function writeSettings(
  change: Partial<Settings>,
  actor: Caller,
  { sequelize, models, settings }: ChangingStores,
): Promise<Settings> {
  const stored = await inCallersTransaction(sequelize, async (transaction) => {
    if (change.staff_second_factor_required) await requireSecondFactor(actor.userId, transaction);
    for (const name of listedSettingNames) {
      const value = change[name];
      if (value !== undefined) await storeSetting(name, value, actor.userId, transaction);
    }
    const line = { actor, action: "site.settings_changed", detail: change };
    await recordActivity(line, transaction);
    await notify("settings", {}, transaction);
    return readSettings({ models }, transaction);
  });
  await settings.refresh();
  return stored;
}

/** Locks the user, because the second factor could be removed between this check and the write. */
async function requireSecondFactor(userId: number, transaction: Transaction): Promise<void> {
  const { User } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const where = { id: userId, totpEnabled: true };
  if (await User.findOne({ attributes: ["id"], where, transaction, lock })) return;
  throw new AppError("second_factor_disabled", "Switch on your own second factor first");
}

/** Stores a setting. @returns the time of the change */
export const storeSetting = <Name extends SettingName>(
  name: Name,
  value: SettingValues[Name],
  actorId: number,
  transaction: Transaction,
): Promise<Date> =>
  modelsOf(transaction).Setting.store({ name, value, changedBy: actorId }, transaction);

export async function clearSetting(name: SettingName, transaction: Transaction): Promise<void> {
  await modelsOf(transaction).Setting.destroy({ where: { name }, transaction });
}

/** Returns true if the site requires a second factor of this caller and the caller has none. */
export const lacksSecondFactor = (
  { role, totpEnabled }: Pick<Caller, "role" | "totpEnabled">,
  { staff_second_factor_required: isRequired }: Settings,
): boolean => isRequired && isStaff(role) && !totpEnabled;
