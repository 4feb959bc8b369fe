import { Op } from "sequelize";

import type { Punishment } from "../../../models/shard/punishment.ts";
import type { Context } from "../../platform/context.ts";
import { lockSubject } from "../../platform/db/lock.ts";
import { executeStatement, type Database, firstRow } from "../../platform/db/rows.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountKeys } from "../owners/own-links.ts";
import {
  confirmBanSql,
  endExpiredBansSql,
  endFormerBanSql,
  endOlderBansSql,
  endReportedBansSql,
  insertBanSql,
  markReportedSql,
  selectSiteBanSql,
} from "./bans.sql.ts";

// Bans come from the site's commands and from the shard's stream, in any order. A lock serializes the
// changes of each account.

export interface ReportedBan {
  readonly account: string;
  readonly reason: string;
  readonly by: string | null;
  /** Epoch milliseconds, by the shard's clock. */
  readonly t: number;
}

/**
 * Stores a ban that the shard reports. The stream also reports each ban of the site's commands once, so the first
 * report near the time of a command confirms that ban. Any other report is a separate ban from inside the game,
 * which replaces the previous ban, because the new ban may last longer.
 */
export async function storeReportedBan(told: ReportedBan, database: Database): Promise<void> {
  const { account, reason, by, t } = told;
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await endExpired(key, database);
  const ordered = await findSiteBan(told, database);
  if (ordered) {
    await executeStatement(database, markReportedSql, [ordered.id]);
    return confirm({ id: ordered.id, account }, database);
  }
  await executeStatement(database, endOlderBansSql, [key, t]);
  await executeStatement(database, insertBanSql, [key, t, account, reason, by]);
}

/** Ends the bans that were issued before the event's time. */
export async function storeReportedUnban(
  { account, t }: Pick<ReportedBan, "account" | "t">,
  database: Database,
): Promise<void> {
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await executeStatement(database, endReportedBansSql, [key, t]);
}

/** Confirms a ban that the shard has executed. The confirmed ban replaces the account's previous ban. */
export async function confirmBan(
  ban: { readonly id: number; readonly account: string },
  database: Database,
): Promise<void> {
  await lockSubject("punishments", accountKey(ban.account), database);
  await confirm(ban, database);
}

/** Confirms a ban. A confirmed ban stays unchanged, because a retry receives the stored first answer again. */
async function confirm(
  { id, account }: { readonly id: number; readonly account: string },
  database: Database,
): Promise<void> {
  const key = accountKey(account);
  await executeStatement(database, endFormerBanSql, [key, id]);
  await executeStatement(database, confirmBanSql, [key, id, account]);
}

async function endExpired(key: string, database: Database): Promise<void> {
  await executeStatement(database, endExpiredBansSql, [key]);
}

/**
 * Finds the ban that an event reports. Prefers the ban whose number is in the event's reason, then a confirmed
 * ban, then a pending one.
 */
function findSiteBan(
  { account, reason, t }: ReportedBan,
  database: Database,
): Promise<Pick<Punishment, "id"> | undefined> {
  const named = Number(/\(ban #(\d{1,9})[,)]/.exec(reason)?.[1] ?? 0);
  return firstRow<Pick<Punishment, "id">>(database, selectSiteBanSql, [
    accountKey(account),
    t,
    named,
  ]);
}

/** Reads all bans of the game accounts that the user has linked now, without the name of the issuer. */
export async function readOwnBans(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.Punishment.findAll({
    where: {
      accountKey: await readAccountKeys(userId, { models }),
      // Leave out bans that the shard has not confirmed.
      confirmedAt: { [Op.ne]: null },
    },
    attributes: ["id", "account", "reason", "issuedAt", "expiresAt", "endedAt"],
    order: ["id"],
    raw: true,
  });
}
