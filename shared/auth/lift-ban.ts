import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { addressKey } from "../net/address-key.ts";
import { recordActivity } from "../site/activity.ts";

/**
 * Ends a ban and forgets what led to it.
 * @param ip as the list of bans shows it, or an address it covers
 * @returns false when it was not banned
 */
export async function liftBan(ip: string, actorId: number, context: Context): Promise<boolean> {
  const lifted = await inTransaction(context.sequelize, async (transaction) => {
    const { rows } = await sqlOf(transaction).query<{ key: string }>(
      `update ip_reputation set score = 0, strikes = 0, banned_until = null
       where address_key in ($1, $2) and banned_until > clock_timestamp()
       returning address_key as key`,
      [ip, addressKey(ip)],
    );
    const [row] = rows;
    if (!row) return false;
    const target = { type: "address", id: row.key };
    await recordActivity({ actorId, action: "bot.unbanned", target }, transaction);
    return true;
  });
  context.bans.forget();
  return lifted;
}
