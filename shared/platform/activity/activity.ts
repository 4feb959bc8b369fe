import type { Transaction } from "sequelize";

import { modelsOf } from "../db/transaction.ts";

/** One line of the activity log: who did what to whom. Never a secret, never a body. */
export type Activity = Deed & By;

/** A caller, whose token is named with them; or a user's id, null for what nobody signed in did. */
export type By = { readonly actor: Actor } | { readonly actorId: number | null };

export interface Actor {
  readonly userId: number;
  readonly apiToken: { readonly id: number } | null;
}

interface Deed {
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
 * Writes the line of something that is about to be tried. Its outcome is `unknown` until
 * `settleActivity` says it, and for good where the process ended before.
 * @returns the line's id
 */
export function openActivity(activity: Activity, transaction: Transaction): Promise<number> {
  const detail = { ...activity.detail, outcome: "unknown" };
  return writeLine({ ...activity, detail }, transaction);
}

/** Adds the outcome to a line of `openActivity`. */
export async function settleActivity(
  lineId: number,
  detail: Readonly<Record<string, unknown>> & { readonly outcome: string },
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).ActivityEntry.settleOnce(lineId, detail, transaction);
}

const columnsOf = (by: By) =>
  "actor" in by
    ? { actorId: by.actor.userId, tokenId: by.actor.apiToken?.id ?? null }
    : { actorId: by.actorId, tokenId: null };

async function writeLine(activity: Activity, transaction: Transaction): Promise<number> {
  const { action, target, address = null, detail = {} } = activity;
  const { id } = await modelsOf(transaction).ActivityEntry.create(
    {
      ...columnsOf(activity),
      action,
      targetType: target?.type ?? null,
      targetId: target ? String(target.id) : null,
      address,
      detail,
    },
    { transaction, returning: ["id"] },
  );
  return id;
}
