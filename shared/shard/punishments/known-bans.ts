import { Op } from "sequelize";

import type { Punishment } from "../../../models/shard/punishment.ts";
import type { Context } from "../../platform/context.ts";
import { lockSubject } from "../../platform/db/lock.ts";
import { countChanged, type Database, firstRow } from "../../platform/db/rows.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountKeys } from "../owners/own-links.ts";

// Bans come from our command and from the shard's stream, in any order; what is told of one account
// takes turns.

/** What the stream tells of a ban. */
export interface ToldBan {
  readonly account: string;
  readonly reason: string;
  readonly by: string | null;
  /** Epoch milliseconds, by the shard's clock. */
  readonly t: number;
}

/** How far the shard's clock may be behind ours. */
const slackSeconds = 60;
/** How long after our command the shard may carry it out: a save freezes the game for a while. */
const lateSeconds = 600;

/** The moment that the shard tells; one that is yet to come is now. */
const toldAt = "least(to_timestamp($2::double precision / 1000), clock_timestamp())";

/**
 * Takes in that an account was banned. Of each ban by our command the stream tells once: the first
 * that it tells near the command is that one. Every other is a punishment of its own, by somebody in
 * the game, and takes the place of the one before: it may last longer.
 */
export async function noteBan(told: ToldBan, database: Database): Promise<void> {
  const { account, reason, by, t } = told;
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await endExpired(key, database);
  const ordered = await findOrdered(told, database);
  if (ordered) {
    await countChanged(
      database,
      "update punishments set told_at = clock_timestamp() where id = $1",
      [ordered.id],
    );
    return confirm({ id: ordered.id, account }, database);
  }
  await countChanged(database, supersedeSql, [key, t]);
  await countChanged(
    database,
    `insert into punishments
       (account_key, account, reason, issuer_name, issued_at, confirmed_at, told_at)
     select $1, $3, $4, $5, ${toldAt}, clock_timestamp(), clock_timestamp()
     where not exists (
       select 1 from punishments
       where account_key = $1 and confirmed_at is not null and ended_at is null)`,
    [key, t, account, reason, by],
  );
}

/** What was issued after the moment that is told of stands: what is told is over. */
const supersedeSql = `
  update punishments set ended_at = greatest(issued_at, least(${toldAt}, expires_at))
  where account_key = $1 and confirmed_at is not null and ended_at is null
    and issued_at <= ${toldAt} + make_interval(secs => ${slackSeconds})`;

/** Takes in that a ban was lifted. What was issued later is another ban. */
export async function noteUnban(
  { account, t }: Pick<ToldBan, "account" | "t">,
  database: Database,
): Promise<void> {
  const key = accountKey(account);
  await lockSubject("punishments", key, database);
  await countChanged(
    database,
    `update punishments set ended_at = least(${toldAt}, expires_at)
     where account_key = $1 and confirmed_at is not null and ended_at is null
       and issued_at <= ${toldAt}`,
    [key, t],
  );
}

/** The shard did what our command said: the ban stands, in place of the one before. */
export async function confirmBan(
  ban: { readonly id: number; readonly account: string },
  database: Database,
): Promise<void> {
  await lockSubject("punishments", accountKey(ban.account), database);
  await confirm(ban, database);
}

/** A command that is sent again is answered as it was the first time: what was confirmed stays. */
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

/**
 * The ban of our own command that this tells of: the one that is named, or else one whose answer came
 * already, before one whose answer nobody has heard yet.
 */
function findOrdered(
  { account, reason, t }: ToldBan,
  database: Database,
): Promise<Pick<Punishment, "id"> | undefined> {
  const named = Number(/\(ban #(\d{1,9})[,)]/.exec(reason)?.[1] ?? 0);
  return firstRow<Pick<Punishment, "id">>(
    database,
    `select id from punishments
     where told_at is null and (account_key = $1 or (account_key is null and id = $3))
       and issued_at between ${toldAt} - make_interval(secs => ${lateSeconds})
         and ${toldAt} + make_interval(secs => ${slackSeconds})
     order by id = $3 desc, confirmed_at is null,
       case when confirmed_at is null then -id else id end
     limit 1`,
    [accountKey(account), t, named],
  );
}

/**
 * Bans of a user's present game accounts, those that are over too. Who gave them is told to nobody
 * but staff.
 */
export async function readOwnBans(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.Punishment.findAll({
    where: {
      accountKey: await readAccountKeys(userId, { models }),
      // Until the shard said that it stands there is none.
      confirmedAt: { [Op.ne]: null },
    },
    attributes: ["id", "account", "reason", "issuedAt", "expiresAt", "endedAt"],
    order: ["id"],
    raw: true,
  });
}
