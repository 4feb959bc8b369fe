import type { Transaction } from "sequelize";

import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import type { SurvivalContext } from "../context.ts";
import { closeInGame, holdSoon, moveLease } from "./leases.ts";

export interface Closer {
  readonly order: Order;
  /** Called in the transaction that marks the zone as closing. */
  readonly note?: (lease: SurvivalZoneLease, transaction: Transaction) => Promise<void>;
}

interface EndedZone {
  readonly lease: SurvivalZoneLease;
  /** Why the game has not confirmed the end; a job retries until it does. */
  readonly failure: BridgeError | null;
}

/** Delay before a job retries. */
const soonMs = 5_000;

/** Closes a zone; an ended zone stays as it is. @throws {AppError} missing */
export async function endZone(
  leaseId: string,
  closer: Closer,
  context: SurvivalContext,
): Promise<EndedZone> {
  const lease = await inTransaction(context.sequelize, (transaction) =>
    wishClosed(leaseId, closer, { transaction, context }),
  );
  if (lease.state !== "closing") return { lease, failure: null };
  try {
    await closeInGame(lease, closer.order, context);
    return { lease: await lease.reload(), failure: null };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { lease: await lease.reload(), failure: error };
  }
}

interface Within {
  readonly transaction: Transaction;
  readonly context: SurvivalContext;
}

async function wishClosed(
  leaseId: string,
  { note }: Closer,
  { transaction, context }: Within,
): Promise<SurvivalZoneLease> {
  const lease = await findLease(leaseId, transaction);
  const wish = { from: ["opening", "open"], to: "closing", reason: "closed" } as const;
  if (!(await moveLease(leaseId, wish, transaction))) return lease;
  await note?.(lease, transaction);
  await holdSoon(lease.serverId, { within: transaction, context, afterMs: soonMs });
  return lease.reload({ transaction });
}

const uuidForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function findLease(leaseId: string, transaction: Transaction): Promise<SurvivalZoneLease> {
  const lease = uuidForm.test(leaseId)
    ? await modelsOf(transaction).SurvivalZoneLease.findByPk(leaseId, {
        transaction,
        lock: transaction.LOCK.NO_KEY_UPDATE,
      })
    : null;
  if (!lease) throw missing("There is no such zone");
  return lease;
}
