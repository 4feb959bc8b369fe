import type { Transaction } from "sequelize";

import type { SurvivalGrant } from "../../../../models/survival/survival-grant.ts";
import type { Context } from "../../../context.ts";
import { rows } from "../../../db/rows.ts";
import { inTransaction } from "../../../db/transaction.ts";
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
export async function endExpired(context: Parts, transaction: Transaction): Promise<Ended[]> {
  const ended = await rows<Ended>(transaction, end);
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

type Ended = ToldGrant & Pick<SurvivalGrant, "value">;

const end = `
  update survival_grants set expired_at = clock_timestamp()
  where revoked_at is null and expired_at is null and expires_at <= clock_timestamp()
  returning id, kind, steam_id as "steamId", value, scope_all as "scopeAll",
    server_ids as "serverIds", user_id as "userId", expires_at as "expiresAt"`;
