import { recordActivity } from "../../activity/activity.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { addressKey } from "../../net/address-key.ts";
import type { Caller } from "../caller/caller.ts";

/**
 * Ends a ban and forgets what led to it.
 * @param ip as the list of bans shows it, or an address it covers
 * @returns false when it was not banned
 */
export async function liftBan(ip: string, actor: Caller, context: Context): Promise<boolean> {
  const lifted = await inTransaction(context.sequelize, async (transaction) => {
    const [, [ban]] = await context.models.AddressReputation.scope("banned").update(
      { score: 0, strikes: 0, bannedUntil: null },
      { where: { addressKey: [ip, addressKey(ip)] }, returning: true, transaction },
    );
    if (!ban) return false;
    const target = { type: "address", id: ban.addressKey };
    await recordActivity({ actor, action: "bot.unbanned", target }, transaction);
    return true;
  });
  context.bans.forget();
  return lifted;
}
