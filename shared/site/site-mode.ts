import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { notify } from "../notify/notify.ts";
import { recordActivity } from "./activity.ts";
import { storeSetting } from "./store-setting.ts";

export const siteModes = ["live", "maintenance", "closed"] as const;

export interface SiteMode {
  readonly site_mode: (typeof siteModes)[number];
  readonly status_message: string | null;
  readonly changed_at: Date | null;
}

export const liveSite: SiteMode = { site_mode: "live", status_message: null, changed_at: null };

/** How the site stands, as it was last set; a site nobody set is live. */
export async function readSiteMode(
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<SiteMode> {
  const [row] = await sequelize.query<{ value: Omit<SiteMode, "changed_at">; changed_at: Date }>(
    "select value, changed_at from settings where name = 'site_mode'",
    { type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  return row ? { ...row.value, changed_at: row.changed_at } : liveSite;
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

/** Sets how the site stands and tells every process; a message that is not given is none. */
export function changeSiteMode(
  change: SiteModeChange,
  actorId: number,
  { sequelize }: Context,
): Promise<ChangedSiteMode> {
  const { site_mode } = change;
  const status_message = change.status_message || null;
  return inTransaction(sequelize, async (transaction) => {
    const before = await readSiteMode(sequelize, transaction);
    const value = { site_mode, status_message };
    const changed_at = await storeSetting("site_mode", value, actorId, sqlOf(transaction));
    const detail = { before: before.site_mode, after: site_mode, status_message };
    await recordActivity({ actorId, action: "site.mode_changed", detail }, transaction);
    await notify("site_mode", {}, transaction);
    return { site_mode, changed_at, changed_by: actorId };
  });
}
