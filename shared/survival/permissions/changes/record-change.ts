import type { Transaction } from "sequelize";

import { recordActivity } from "../../../activity/activity.ts";
import type { Caller } from "../../../auth/caller/caller.ts";
import type { Context } from "../../../context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import { serversOf, type StoredScope } from "../scopes/scopes.ts";

interface Change {
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
export async function recordChange(
  { verb, target, detail, scopes }: Change,
  actor: Caller | null,
  context: Pick<Context, "queue" | "config">,
  transaction: Transaction,
): Promise<void> {
  const action = `survival.permission.${verb}`;
  const by = actor ? { actor } : { actorId: null };
  await recordActivity({ ...by, action, target, detail }, transaction);
  const reason = target.type === "survival_grant" ? "grant" : "group";
  const ask = { names: ["permissions"], serverIds: serversOf(scopes), reason } as const;
  await askForPush(ask, context, transaction);
}
