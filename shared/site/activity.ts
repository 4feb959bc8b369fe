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
  await writeLine(activity, transaction);
}

/**
 * Writes the line of something that is about to be tried: its outcome is `unknown`, and stays so
 * when nobody comes back to say it.
 * @returns what `settleActivity` knows the line by
 */
export function openActivity(activity: Activity, transaction: Transaction): Promise<number> {
  const detail = { ...activity.detail, outcome: "unknown" };
  return writeLine({ ...activity, detail }, transaction);
}

/** Says what came of it. */
export async function settleActivity(
  lineId: number,
  detail: Readonly<Record<string, unknown>> & { readonly outcome: string },
  transaction: Transaction,
): Promise<void> {
  await sqlOf(transaction).query("update activity_log set detail = detail || $2 where id = $1", [
    lineId,
    JSON.stringify(detail),
  ]);
}

async function writeLine(activity: Activity, transaction: Transaction): Promise<number> {
  const { actorId, action, target, address, detail } = activity;
  const { rows } = await sqlOf(transaction).query<{ id: number }>(
    `insert into activity_log (actor_id, action, target_type, target_id, address, detail)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [
      actorId,
      action,
      target?.type,
      target && String(target.id),
      address,
      JSON.stringify(detail ?? {}),
    ],
  );
  return (rows as [{ id: number }])[0].id;
}
