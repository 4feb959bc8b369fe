import type { Transaction } from "sequelize";

import type { Context } from "../../../context.ts";
import { inTransaction, modelsOf } from "../../../db/transaction.ts";
import { recordChange } from "../changes/record-change.ts";
import { tellGrants, type ToldGrant } from "./tell-grants.ts";

type Parts = Pick<Context, "queue" | "config">;

/** Ends the grants whose time is over, and has the servers take back what they gave. */
export const expireGrants = (context: Context): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    const ended = await endExpired(context, transaction);
    await tellGrants("expired", ended, context, transaction);
  });

/** The same within a transaction that makes one. @returns those that have ended, to be told of */
export async function endExpired(
  context: Parts,
  transaction: Transaction,
): Promise<readonly ToldGrant[]> {
  const ended = await modelsOf(transaction).SurvivalGrant.endOver(transaction);
  for (const grant of ended) {
    const { id, kind, steamId, value } = grant;
    const target = { type: "survival_grant", id } as const;
    const detail = { kind, steamId, value };
    const change = { verb: "expired", target, detail, scopes: [grant] } as const;
    await recordChange(change, null, context, transaction);
  }
  return ended;
}

/** At its end there is a job; the clock of the queue finds what one of them missed. */
export async function wakeAt(
  expiresAt: Date | null,
  { queue }: Parts,
  transaction: Transaction,
): Promise<void> {
  if (!expiresAt) return;
  const options = { startAfter: expiresAt, within: transaction };
  await queue.enqueue("survival.expire-grants", {}, options);
}
