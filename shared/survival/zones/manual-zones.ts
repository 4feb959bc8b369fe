import type { Transaction } from "sequelize";

import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import {
  beginActivity,
  recordActivity,
  recordActivityOutcome,
} from "../../platform/activity/activity.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import { toCommandActor, type CommandRequest } from "../../shard/staff/commands.ts";
import type { SurvivalContext } from "../context.ts";
import type { ZoneOpening } from "./check-opening.ts";
import { closeZone } from "./close-zone.ts";
import { openZone } from "./open-zone.ts";

const orderOf = ({ caller, requestId }: CommandRequest) => ({
  actor: toCommandActor(caller),
  requestId,
});

const targetOf = (leaseId: string) => ({ type: "survival_zone", id: leaseId });

/** Opens a zone for an administrator. @throws {AppError} if it was not opened */
export async function openZoneManually(
  opening: ZoneOpening,
  shardOrder: CommandRequest,
  context: SurvivalContext,
): Promise<SurvivalZoneLease> {
  const { caller, address } = shardOrder;
  const line: { id?: number } = {};
  const note = async (leaseId: string, transaction: Transaction): Promise<void> => {
    const { serverId, presetKey, durationSec } = opening;
    const detail = { serverId, presetKey, durationSec };
    const target = targetOf(leaseId);
    line.id = await beginActivity(
      { actor: caller, action: "survival.zone.opened", target, address, detail },
      transaction,
    );
  };
  const settle = async (result: string): Promise<void> => {
    const { id } = line;
    if (id === undefined) return;
    await inCallersTransaction(context.sequelize, (transaction) =>
      recordActivityOutcome(id, { outcome: result }, transaction),
    );
  };
  const opener = { order: orderOf(shardOrder), userId: caller.userId, step: null, note };
  try {
    const { lease, doubt } = await openZone(opening, opener, context);
    if (!doubt) await settle("done");
    return lease;
  } catch (error) {
    await settle(error instanceof BridgeError ? error.code : messageOf(error));
    throw error;
  }
}

/** Closes a zone for an administrator; a job retries if the game does not answer. */
export async function closeZoneManually(
  leaseId: string,
  shardOrder: CommandRequest,
  context: SurvivalContext,
): Promise<SurvivalZoneLease> {
  const { caller, address } = shardOrder;
  const note = (lease: SurvivalZoneLease, transaction: Transaction): Promise<void> =>
    recordActivity(
      {
        actor: caller,
        action: "survival.zone.closed",
        target: targetOf(lease.leaseId),
        address,
        detail: { serverId: lease.serverId, presetKey: lease.presetKey },
      },
      transaction,
    );
  const { lease } = await closeZone(leaseId, { order: orderOf(shardOrder), note }, context);
  return lease;
}
