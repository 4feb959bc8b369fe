import type { Transaction } from "sequelize";

import type { SurvivalGrant } from "../../../../models/survival/permissions/survival-grant.ts";
import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import type { Context } from "../../../platform/context.ts";
import { readClock } from "../../../platform/db/clock.ts";
import { inCallersTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import type { SurvivalContext } from "../../context.ts";
import { type PermissionChange, permissionNotification } from "../../notifications/makers.ts";
import { sendNotifications } from "../../notifications/send.ts";
import { lockServersShared } from "../../server-locks.ts";
import { requestSync } from "../../sync/request-sync.ts";
import { serversOf, type StoredScope } from "../scopes.ts";

export interface PermissionAction {
  readonly verb: "created" | "changed" | "deleted" | "granted" | "revoked" | "expired";
  readonly target: {
    readonly type: "survival_permission_group" | "survival_grant";
    readonly id: number;
  };
  readonly detail: Readonly<Record<string, unknown>>;
  /** Scopes before and after the change, because servers that leave a scope must be updated too. */
  readonly scopes: readonly StoredScope[];
}

/** Writes the activity log and requests a sync of the affected servers. */
export const recordPermissionChange = (
  change: PermissionAction,
  actor: Caller | null,
  context: Pick<Context, "queue" | "config">,
  transaction: Transaction,
): Promise<void> => recordPermissionChanges([change], actor, context, transaction);

/** Records several changes with a single sync request, because several requests would break the lock order. */
export async function recordPermissionChanges(
  changes: readonly PermissionAction[],
  actor: Caller | null,
  context: Pick<Context, "queue" | "config">,
  transaction: Transaction,
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const by = actor ? { actor } : { actorId: null };
  for (const { verb, target, detail } of changes) {
    const action = `survival.permission.${verb}`;
    await recordActivity({ ...by, action, target, detail }, transaction);
  }
  const serverIds = serversOf(changes.flatMap(({ scopes }) => scopes));
  const reason = first.target.type === "survival_grant" ? "grant" : "group";
  await requestSync({ names: ["permissions"], serverIds, reason }, context, transaction);
}

type Parts = Pick<Context, "queue" | "config">;

/** Ends expired grants. Call it before other changes, in a separate transaction. */
export const expireGrants = (context: SurvivalContext): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const { SurvivalGrant: Grant } = modelsOf(transaction);
    // Usually no grant has expired, so avoid the lock.
    if ((await Grant.scope("over").count({ transaction })) === 0) return;
    await lockServersShared(transaction);
    const ended = await Grant.expireAll(transaction);
    const changes = ended.map((grant): PermissionAction => {
      const { id, kind, steamId, value } = grant;
      const detail = { kind, steamId, value };
      return { verb: "expired", target: { type: "survival_grant", id }, detail, scopes: [grant] };
    });
    await recordPermissionChanges(changes, null, context, transaction);
    await notifyGrants("expired", ended, context, transaction);
  });

/** Schedules a job at the end of a grant. If the job is lost, a periodic job ends the grant. */
export async function scheduleGrantExpiry(
  expiresAt: Date | null,
  { queue }: Parts,
  transaction: Transaction,
): Promise<void> {
  if (!expiresAt) return;
  const options = { startAfter: expiresAt, within: transaction };
  await queue.enqueue("survival.expire-grants", {}, options);
}

type NotifiedGrant = Pick<
  SurvivalGrant,
  "id" | "kind" | "steamId" | "userId" | "expiresAt" | "scopeAll" | "serverIds"
>;

/**
 * Notifies players and event runs of changed grants. Call it last: it locks rows that other transactions wait
 * for.
 */
export async function notifyGrants(
  change: PermissionChange["change"],
  grants: readonly NotifiedGrant[],
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
    return permissionNotification(told, now);
  });
  await sendNotifications(notices, transaction, context);
}
