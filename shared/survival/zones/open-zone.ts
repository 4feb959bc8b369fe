import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidRequestError } from "../../platform/errors/errors.ts";
import { isPossiblyDelivered } from "../calls/call-rules.ts";
import type { SurvivalContext } from "../context.ts";
import { lockServerShared } from "../server-locks.ts";
import {
  checkZoneOpening,
  fieldError,
  helperMissingError,
  type ZoneOpening,
} from "./check-opening.ts";
import {
  scheduleZoneMaintenance,
  markZoneOpen,
  openZoneInGame,
  computeLeaseTtl,
} from "./leases.ts";

export interface ZoneOpener {
  readonly order: CommandOptions;
  readonly userId: number | null;
  /** The step that opens the zone; its attempts share one zone. Null if a person opens it. */
  readonly step: ZoneStep | null;
  /** Runs in the transaction that stores the lease. */
  readonly note?: (leaseId: string, transaction: Transaction) => Promise<void>;
}

export interface ZoneStep {
  readonly runId: number;
  readonly stepId: number | null;
  /** The idempotency key, equal for all attempts. */
  readonly key: string;
}

interface OpenResult {
  readonly lease: SurvivalZoneLease;
  /** The error after which the zone may or may not be open; null if the zone is open. */
  readonly doubt: BridgeError | null;
}

/**
 * Opens a zone. The lease is stored before the request, so that a crash cannot hide the zone. If the game surely
 * did not open the zone, the lease is deleted. In doubt, the lease stays `opening` until a job asks again.
 * @throws {AppError} if it was not opened
 */
export async function openZone(
  opening: ZoneOpening,
  opener: ZoneOpener,
  context: SurvivalContext,
): Promise<OpenResult> {
  const { lease, isFirst } = await inCallersTransaction(context.sequelize, (transaction) =>
    storeLease(opening, opener, { transaction, context }),
  );
  if (lease.state !== "opening") return { lease, doubt: null };
  try {
    await openZoneInGame(lease, opener.order, context);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    // Keep the lease if this is a later attempt: an earlier attempt may have opened the zone.
    if (!isFirst || isPossiblyDelivered(error)) return { lease, doubt: error };
    await deleteLease(lease.leaseId, context);
    throw toClientError(error);
  }
  await markZoneOpen(lease, opener.order, context);
  return { lease: await lease.reload(), doubt: null };
}

interface OpenContext {
  readonly transaction: Transaction;
  readonly context: SurvivalContext;
}

interface StoredLease {
  readonly lease: SurvivalZoneLease;
  /** True if no earlier request asked the game to open this zone. */
  readonly isFirst: boolean;
}

async function storeLease(
  opening: ZoneOpening,
  opener: ZoneOpener,
  within: OpenContext,
): Promise<StoredLease> {
  const server = await lockServerShared(opening.serverId, within.transaction);
  if (!server) throw fieldError("serverId", "there is no such server");
  const known = await findLeaseOf(opener.step, within.transaction);
  if (known) return { lease: await reopenLease(known, within), isFirst: false };
  const preset = await checkZoneOpening(opening, within.transaction);
  const { serverId, presetKey, at, durationSec } = opening;
  const { step, userId } = opener;
  const { transaction, context } = within;
  const leaseId = randomUUID();
  const lease = await modelsOf(transaction).SurvivalZoneLease.create(
    {
      leaseId,
      serverId,
      presetKey,
      preset: { ...preset.document, name: preset.name },
      at,
      durationSec,
      leaseUntil: clockNowPlus(durationSec * 1_000),
      heldUntil: clockNowPlus(computeLeaseTtl(durationSec, context) * 1_000),
      runId: step?.runId ?? null,
      stepId: step?.stepId ?? null,
      stepKey: step?.key ?? null,
      openedBy: userId,
    },
    { transaction },
  );
  await opener.note?.(leaseId, transaction);
  return { lease: await storeLedgerEntry(lease, within), isFirst: true };
}

async function storeLedgerEntry(
  lease: SurvivalZoneLease,
  { transaction, context }: OpenContext,
): Promise<SurvivalZoneLease> {
  await lease.reload({ transaction });
  const { serverId, leaseId, leaseUntil, runId, stepId } = lease;
  await modelsOf(transaction).SurvivalLedgerEntry.create(
    { serverId, what: "zone", ref: leaseId, state: "pushed", leaseUntil, runId, stepId },
    { transaction },
  );
  await scheduleZoneMaintenance(serverId, { within: transaction, context });
  return lease;
}

/** Attempts of one step run one after another, so the lease cannot be created twice. */
const findLeaseOf = (
  step: ZoneStep | null,
  transaction: Transaction,
): Promise<SurvivalZoneLease | null> =>
  step
    ? modelsOf(transaction).SurvivalZoneLease.findOne({
        where: { stepKey: step.key },
        transaction,
        lock: transaction.LOCK.UPDATE,
      })
    : Promise.resolve(null);

/** Reuses the lease of an earlier attempt. An open zone stays; an ended zone is not opened again. */
async function reopenLease(
  lease: SurvivalZoneLease,
  within: OpenContext,
): Promise<SurvivalZoneLease> {
  const { state, durationSec } = lease;
  if (state === "open") return lease;
  if (state !== "opening" && state !== "failed") {
    throw invalidRequestError("the zone has already ended");
  }
  const { transaction, context } = within;
  const heldUntil = clockNowPlus(computeLeaseTtl(durationSec, context) * 1_000);
  if (state === "opening") {
    await lease.update({ heldUntil }, { transaction });
    return lease.reload({ transaction });
  }
  const begun = { state: "opening", endedAt: null, reason: null } as const;
  const times = { openedAt: clockNow(), leaseUntil: clockNowPlus(durationSec * 1_000), heldUntil };
  await lease.update({ ...begun, ...times }, { transaction });
  return storeLedgerEntry(lease, within);
}

/** Deletes a lease whose zone was certainly not opened. */
async function deleteLease(leaseId: string, { sequelize }: Context): Promise<void> {
  await executeStatement(
    sequelize,
    `with gone as (
       delete from survival_zone_leases where lease_id = $1::uuid and state = 'opening'
       returning server_id, lease_id
     )
     delete from survival_ledger entry using gone
     where entry.server_id = gone.server_id and entry.what = 'zone'
       and entry.ref = gone.lease_id::text and entry.state = 'pushed'`,
    [leaseId],
  );
}

function toClientError(error: BridgeError): Error {
  if (error.code === "UNSUPPORTED" || error.code === "DISABLED") return helperMissingError();
  if (error.code === "NOT_FOUND") return fieldError("at", "the server does not know this place");
  return error;
}
