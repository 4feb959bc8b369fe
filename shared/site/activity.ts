import type { Transaction } from "sequelize";

import { sqlOf } from "../db/sql.ts";

/** One line of the activity log: who did what to whom. Never a secret, never a body. */
export interface Activity {
  /** Null for what nobody signed in did. */
  readonly actorId: number | null;
  /** Dotted, from the general to the special: `auth.login.failure`. */
  readonly action: string;
  readonly target?: { readonly type: string; readonly id: string | number } | undefined;
  readonly address?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes the line in the transaction of what it tells of. */
export async function recordActivity(activity: Activity, transaction: Transaction): Promise<void> {
  const { actorId, action, target, address, detail } = activity;
  await sqlOf(transaction).query(
    `insert into activity_log (actor_id, action, target_type, target_id, address, detail)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      actorId,
      action,
      target?.type,
      target && String(target.id),
      address,
      JSON.stringify(detail ?? {}),
    ],
  );
}
