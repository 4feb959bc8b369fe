import { randomUUID } from "node:crypto";

import { bannedDemoAccount } from "../../jobs/commands/machine/demo.ts";
import { openAppeal } from "../../shared/appeals/open-appeal.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { banAccount } from "../../shared/shard/staff/moderation.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callerOf } from "./accounts.ts";

const linkWithinMs = 60_000;
const day = 86_400;

/**
 * Bans the second game account of the demo's player and opens an appeal, so that staff have an
 * appeal to decide. Does nothing if an appeal exists.
 * @returns true if it opened the appeal
 */
export async function ensureAppeal(admin: Caller, context: SiteContext): Promise<boolean> {
  const { Appeal, ShardLink, User } = context.models;
  if ((await Appeal.count()) > 0) return false;
  const where = { account: bannedDemoAccount };
  await waitUntil(
    "the account to ban is linked",
    async () => (await ShardLink.count({ where })) > 0,
    linkWithinMs,
  );
  const { userId } = await ShardLink.findOne({ where, rejectOnEmpty: true });
  const player = await User.findByPk(userId, { rejectOnEmpty: true });
  const ban = { account: bannedDemoAccount, durationSec: 7 * day, reason: "Unattended macroing" };
  await banAccount(ban, { caller: admin, requestId: randomUUID() }, context);
  await openAppeal(
    {
      account: bannedDemoAccount,
      reason: "I was fishing by hand the whole evening. My guild was with me and can tell you so.",
    },
    callerOf(player),
    context,
  );
  return true;
}
