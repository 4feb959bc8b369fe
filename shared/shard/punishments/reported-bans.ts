import { Op } from "sequelize";

import type { Punishment } from "../../../models/shard/punishment.ts";
import type { Context } from "../../platform/context.ts";
import { lockSubject } from "../../platform/db/lock.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountKeys } from "../owners/own-links.ts";

// Bans come from the site's commands and from the shard's stream, in any order. A lock serializes the
// changes of each account.

export interface ReportedBan {
  readonly account: string;
  readonly reason: string;
  readonly by: string | null;
  /** Epoch milliseconds, by the shard's clock. */
  readonly t: number;
}

/** How far the shard's clock may be behind the site's clock. */
const clockSkewSeconds = 60;
/** How long the shard may take to execute a command: a save freezes the game for minutes. */
const maxDelaySeconds = 600;

/** The event's time. A time in the future is replaced by the current time. */
const reportedAtSql = "least(to_timestamp($2::double precision / 1000), clock_timestamp())";

/**
 * Stores a ban that the shard reports. The stream also reports each ban of the site's commands once, so the
 * first report near a command confirms that ban. Any other report is a separate ban from inside the game. It
 * replaces the previous ban, because it may last longer.
 */
export async function storeReportedBan(told: ReportedBan, database: Database): Promise<void> {
  const { account, reason, by, t } = told;
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await endExpired(key, database);
  const ordered = await findSiteBan(told, database);
  if (ordered) {
    await countChanged(
      database,
      "update punishments set told_at = clock_timestamp() where id = $1",
      [ordered.id],
    );
    return confirm({ id: ordered.id, account }, database);
  }
  await countChanged(database, endOlderBansSql, [key, t]);
  await countChanged(
    database,
    `insert into punishments
       (account_key, account, reason, issuer_name, issued_at, confirmed_at, told_at)
     select $1, $3, $4, $5, ${reportedAtSql}, clock_timestamp(), clock_timestamp()
     where not exists (
       select 1 from punishments
       where account_key = $1 and confirmed_at is not null and ended_at is null)`,
    [key, t, account, reason, by],
  );
}

/** A ban issued after this event's time stays: the event describes an older ban. */
const endOlderBansSql = `
  update punishments set ended_at = greatest(issued_at, least(${reportedAtSql}, expires_at))
  where account_key = $1 and confirmed_at is not null and ended_at is null
    and issued_at <= ${reportedAtSql} + make_interval(secs => ${clockSkewSeconds})`;

/** Ends the bans that were issued before the event's time. */
export async function storeReportedUnban(
  { account, t }: Pick<ReportedBan, "account" | "t">,
  database: Database,
): Promise<void> {
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await countChanged(
    database,
    `update punishments set ended_at = least(${reportedAtSql}, expires_at)
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and issued_at <= ${reportedAtSql}`,
    [key, t],
  );
}

/** Confirms a ban that the shard has executed. It replaces the account's previous ban. */
export async function confirmBan(
  ban: { readonly id: number; readonly account: string },
  database: Database,
): Promise<void> {
  await lockSubject("punishments", accountKey(ban.account), database);
  await confirm(ban, database);
}

/** Does nothing for a confirmed ban, because a retry receives the stored first answer again. */
async function confirm(
  { id, account }: { readonly id: number; readonly account: string },
  database: Database,
): Promise<void> {
  const key = accountKey(account);
  await countChanged(
    database,
    `update punishments set ended_at = least(clock_timestamp(), expires_at)
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and exists (select 1 from punishments where id = $2 and confirmed_at is null)`,
    [key, id],
  );
  await countChanged(
    database,
    `update punishments set account_key = $1, account = $3, confirmed_at = clock_timestamp()
     where id = $2 and confirmed_at is null`,
    [key, id, account],
  );
}

async function endExpired(key: string, database: Database): Promise<void> {
  await countChanged(
    database,
    `update punishments set ended_at = expires_at
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and expires_at <= clock_timestamp()`,
    [key],
  );
}

/** Finds the ban that an event reports: the ban that its reason names, else a confirmed one, else a pending one. */
function findSiteBan(
  { account, reason, t }: ReportedBan,
  database: Database,
): Promise<Pick<Punishment, "id"> | undefined> {
  const named = Number(/\(ban #(\d{1,9})[,)]/.exec(reason)?.[1] ?? 0);
  return firstRow<Pick<Punishment, "id">>(
    database,
    `select id from punishments
     where told_at is null and (account_key = $1 or (account_key is null and id = $3))
       and issued_at between ${reportedAtSql} - make_interval(secs => ${maxDelaySeconds})
         and ${reportedAtSql} + make_interval(secs => ${clockSkewSeconds})
     order by id = $3 desc, confirmed_at is null,
       case when confirmed_at is null then -id else id end
     limit 1`,
    [accountKey(account), t, named],
  );
}

/** Reads for a user all bans of the game accounts that the user has linked now, without the issuer. */
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
