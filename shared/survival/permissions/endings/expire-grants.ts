import type { Transaction } from "sequelize";

import type { Context } from "../../../platform/context.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import type { SurvivalContext } from "../../context.ts";
import { holdServers } from "../../server-rows.ts";
import { type Change, recordChanges } from "../changes/record-change.ts";
import { tellGrants } from "./tell-grants.ts";

type Parts = Pick<Context, "queue" | "config">;

/**
 * Ends the grants whose time is over, and has the servers take back what they gave. Whoever makes or
 * ends others does so before, in a transaction of its own: both ask for pushes.
 */
export const expireGrants = (context: SurvivalContext): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    const { SurvivalGrant: Grant } = modelsOf(transaction);
    // Most of the time there are none: then nothing is locked.
    if ((await Grant.scope("over").count({ transaction })) === 0) return;
    await holdServers(transaction);
    const ended = await Grant.endOver(transaction);
    const changes = ended.map((grant): Change => {
      const { id, kind, steamId, value } = grant;
      const detail = { kind, steamId, value };
      return { verb: "expired", target: { type: "survival_grant", id }, detail, scopes: [grant] };
    });
    await recordChanges(changes, null, context, transaction);
    await tellGrants("expired", ended, context, transaction);
  });

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
