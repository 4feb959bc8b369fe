import type { Transaction } from "sequelize";

import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { Context } from "../../../platform/context.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";
import { type PermissionChange, permissionNotice } from "../../notices/notices.ts";
import { tellNotices } from "../../notices/tell.ts";

export type ToldGrant = Pick<
  SurvivalGrant,
  "id" | "kind" | "steamId" | "userId" | "expiresAt" | "scopeAll" | "serverIds"
>;

/**
 * Tells players, and runs of events, what became of their grants. It is the last thing that a
 * transaction does: it locks what tells it.
 */
export async function tellGrants(
  change: PermissionChange["change"],
  grants: readonly ToldGrant[],
  context: Pick<Context, "queue" | "log" | "config">,
  transaction: Transaction,
): Promise<void> {
  if (grants.length === 0) return;
  const links = await modelsOf(transaction).SteamLink.findAll({
    where: { steamId: grants.map(({ steamId }) => steamId) },
    attributes: ["steamId", "userId"],
    raw: true,
    transaction,
  });
  const ownerOf = new Map(links.map(({ steamId, userId }) => [steamId, userId]));
  const now = await readClock(transaction);
  const notices = grants.map((grant) => {
    const { id, steamId, userId, kind, expiresAt, scopeAll, serverIds } = grant;
    const owner = ownerOf.get(steamId) ?? userId ?? undefined;
    const told = { grantId: id, change, userId: owner, kind, expiresAt, scopeAll, serverIds };
    return permissionNotice(told, now);
  });
  await tellNotices(notices, transaction, context);
}
