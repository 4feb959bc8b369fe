import type { Transaction } from "sequelize";

import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { SurvivalContext } from "../context.ts";
import { closeZoneInGame, scheduleZoneMaintenance, transitionLease } from "./leases.ts";

export interface CloseOptions {
  readonly order: CommandOptions;
  /** Runs in the transaction that marks the zone as closing. */
  readonly note?: (lease: SurvivalZoneLease, transaction: Transaction) => Promise<void>;
}

interface CloseResult {
  readonly lease: SurvivalZoneLease;
  /** The reason why the game has not confirmed the end; a job retries until it does. */
  readonly failure: BridgeError | null;
}

/** Milliseconds before a job retries. */
const soonMs = 5_000;

/** Closes a zone. A zone that has ended stays as it is. @throws {AppError} missing */
export async function closeZone(
  leaseId: string,
  closer: CloseOptions,
  context: SurvivalContext,
): Promise<CloseResult> {
  const lease = await inCallersTransaction(context.sequelize, (transaction) =>
    markClosing(leaseId, closer, { transaction, context }),
  );
  if (lease.state !== "closing") return { lease, failure: null };
  try {
    await closeZoneInGame(lease, closer.order, context);
    return { lease: await lease.reload(), failure: null };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { lease: await lease.reload(), failure: error };
  }
}

interface CloseContext {
  readonly transaction: Transaction;
  readonly context: SurvivalContext;
}

async function markClosing(
  leaseId: string,
  { note }: CloseOptions,
  { transaction, context }: CloseContext,
): Promise<SurvivalZoneLease> {
  const lease = await findLease(leaseId, transaction);
  const wish = { from: ["opening", "open"], to: "closing", reason: "closed" } as const;
  if (!(await transitionLease(leaseId, wish, transaction))) return lease;
  await note?.(lease, transaction);
  await scheduleZoneMaintenance(lease.serverId, { within: transaction, context, afterMs: soonMs });
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
  if (!lease) throw notFoundError("There is no such zone");
  return lease;
}
