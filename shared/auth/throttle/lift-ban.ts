import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { networksOf } from "../../platform/net/networks.ts";

/**
 * Ends a ban and forgets what led to it.
 * @param ip as the list of bans shows it, or an address: then every ban that covers it ends
 * @returns false when it was not banned
 */
export async function liftBan(ip: string, actor: Caller, context: Context): Promise<boolean> {
  const lifted = await inTransaction(context.sequelize, async (transaction) => {
    const keys = [ip, ...networksOf(ip).map(({ key }) => key)];
    const [, bans] = await context.models.AddressReputation.scope("banned").update(
      { score: 0, strikes: 0, bannedUntil: null },
      { where: { addressKey: keys }, returning: true, transaction },
    );
    for (const ban of bans) {
      const target = { type: "address", id: ban.addressKey };
      await recordActivity({ actor, action: "bot.unbanned", target }, transaction);
    }
    return bans.length > 0;
  });
  context.bans.forget();
  return lifted;
}
