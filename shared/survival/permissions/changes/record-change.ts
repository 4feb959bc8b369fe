import type { Transaction } from "sequelize";

import type { Caller } from "../../../platform/access/caller.ts";
import { recordActivity } from "../../../platform/activity/activity.ts";
import type { Context } from "../../../platform/context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { serversOf, type StoredScope } from "../scopes/scopes.ts";

export interface Change {
  readonly verb: "created" | "changed" | "deleted" | "granted" | "revoked" | "expired";
  readonly target: {
    readonly type: "survival_permission_group" | "survival_grant";
    readonly id: number;
  };
  readonly detail: Readonly<Record<string, unknown>>;
  /** Before and after: servers that it leaves are pushed as well. */
  readonly scopes: readonly StoredScope[];
}

/** The line of the log, and the push to all servers that the change reaches. */
export const recordChange = (
  change: Change,
  actor: Caller | null,
  context: Pick<Context, "queue" | "config">,
  transaction: Transaction,
): Promise<void> => recordChanges([change], actor, context, transaction);

/**
 * The same of several in one transaction: their pushes are asked for at once, in the order of all who
 * ask for some.
 */
export async function recordChanges(
  changes: readonly Change[],
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
  await askForPush({ names: ["permissions"], serverIds, reason }, context, transaction);
}
