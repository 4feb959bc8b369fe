import type { Sequelize, Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { Caller } from "../access/caller.ts";
import { isStaff } from "../access/roles.ts";
import { recordActivity } from "../activity/activity.ts";
import { takeTransactionLock } from "../db/lock.ts";
import { inCallersTransaction } from "../db/transaction.ts";
import { notify } from "../notify/channels.ts";
import type { WatchedValue } from "../notify/live-value.ts";
import { allSettings, type StoredSiteMode } from "./catalogue.ts";
import { readStoredSetting, storeSetting } from "./settings.ts";

export interface SiteMode extends StoredSiteMode {
  readonly changed_at: Date | null;
}

export const defaultSiteMode: SiteMode = { ...allSettings.site_mode.byDefault, changed_at: null };

export async function readSiteMode(
  stores: { readonly models: Models },
  transaction?: Transaction,
): Promise<SiteMode> {
  const { value, changedAt } = await readStoredSetting("site_mode", stores, transaction);
  return { ...value, changed_at: changedAt };
}

export interface SiteModeChange {
  readonly site_mode: SiteMode["site_mode"];
  readonly status_message?: string | null | undefined;
}

export interface ChangedSiteMode {
  readonly site_mode: SiteMode["site_mode"];
  readonly changed_at: Date;
  readonly changed_by: number;
}

interface ModeStores {
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly siteMode: WatchedValue<SiteMode>;
}

/** Changes the mode of the site and notifies every process. Without a message, removes the stored message. */
export async function changeSiteMode(
  change: SiteModeChange,
  actor: Caller,
  { sequelize, models, siteMode }: ModeStores,
): Promise<ChangedSiteMode> {
  const { site_mode } = change;
  const status_message = change.status_message || null;
  const changed = await inCallersTransaction(sequelize, async (transaction) => {
    // Serializes concurrent changes, so that each one logs the correct previous mode.
    await takeTransactionLock("siteMode", transaction);
    const before = await readSiteMode({ models }, transaction);
    const value = { site_mode, status_message };
    const changed_at = await storeSetting("site_mode", value, actor.userId, transaction);
    const isNewMessage = before.status_message !== status_message;
    const detail = { before: before.site_mode, after: site_mode, messageChanged: isNewMessage };
    await recordActivity({ actor, action: "site.mode_changed", detail }, transaction);
    await notify("site_mode", {}, transaction);
    return { site_mode, changed_at, changed_by: actor.userId };
  });
  await siteMode.refresh();
  return changed;
}

/** Returns true if the mode excludes the caller: maintenance admits staff, a closed site only admins. */
export function isExcludedByMode(
  caller: Pick<Caller, "role"> | null,
  { site_mode: mode }: Pick<StoredSiteMode, "site_mode">,
): boolean {
  if (mode === "live") return false;
  if (!caller) return true;
  return mode === "closed" ? caller.role !== "admin" : !isStaff(caller.role);
}
