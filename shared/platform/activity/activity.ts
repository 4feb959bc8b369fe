import type { Transaction } from "sequelize";

import { modelsOf } from "../db/transaction.ts";

/** One line of the activity log: actor, action, target. It never contains a secret or a request body. */
export type Activity = ActivityAction & ActivityActor;

/** The caller, with the API token if it has one; or a user's id, null if nobody was signed in. */
export type ActivityActor = { readonly actor: Actor } | { readonly actorId: number | null };

export interface Actor {
  readonly userId: number;
  readonly apiToken: { readonly id: number } | null;
}

interface ActivityAction {
  /** Dotted, from general to specific: `auth.login.failure`. */
  readonly action: string;
  readonly target?: { readonly type: string; readonly id: string | number } | undefined;
  readonly address?: string | undefined;
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes a line of the activity log in the transaction of the line's action. */
export async function recordActivity(activity: Activity, transaction: Transaction): Promise<void> {
  await writeLine(activity, transaction);
}

/**
 * Writes a line of the activity log before its action is tried. The line's outcome stays `unknown` until
 * `recordActivityOutcome` runs.
 */
export function beginActivity(activity: Activity, transaction: Transaction): Promise<number> {
  const detail = { ...activity.detail, outcome: "unknown" };
  return writeLine({ ...activity, detail }, transaction);
}

export async function recordActivityOutcome(
  lineId: number,
  detail: Readonly<Record<string, unknown>> & { readonly outcome: string },
  transaction: Transaction,
): Promise<void> {
  await modelsOf(transaction).ActivityEntry.setOutcomeOnce(lineId, detail, transaction);
}

const columnsOf = (by: ActivityActor) =>
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
