import { clockAfter, clockNow } from "../../../models/queries/clock.ts";
import type {
  ParticipationMethod,
  SurvivalParticipation,
} from "../../../models/survival/players/survival-participation.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { refuseIncapable } from "../calls/call-rules.ts";
import { openParticipationCall } from "../calls/reward-calls.ts";
import type { SurvivalContext } from "../context.ts";

/** What is to be counted, for a step of a run. */
export interface ParticipationOpening {
  readonly serverId: number;
  readonly method: ParticipationMethod;
  readonly zoneId: string | null;
  readonly profile: string | null;
  readonly durationSec: number;
  readonly runId: number;
  readonly stepId: number | null;
  /** The same at each attempt of the step. */
  readonly stepKey: string;
}

/**
 * Has the game count who takes part. It is on record before the game is asked, and each attempt of a
 * step asks for the same one.
 * @throws {BridgeError} when there is no good answer
 */
export async function openParticipation(
  opening: ParticipationOpening,
  order: Order,
  context: SurvivalContext,
): Promise<SurvivalParticipation> {
  const { SurvivalParticipation: Model, SurvivalLedgerEntry } = context.models;
  const known = await Model.findOne({ where: { stepKey: opening.stepKey } });
  if (known && known.state !== "opening") return known;
  await refuseIncapable(opening.serverId, "participation", context);
  const entered = known ?? (await enter(opening, context));
  const { id, serverId, method, zoneId, profile, durationSec } = entered;
  const body = {
    participationId: id,
    method,
    ...(zoneId !== null && { zoneId }),
    ...(profile !== null && { profile }),
    ttlSec: durationSec,
  };
  await context.survival.call(serverId, (control) =>
    control.command(
      openParticipationCall,
      { ...order, idempotencyKey: `participation:${id}` },
      { body },
    ),
  );
  await Model.update({ state: "open" }, { where: { id, state: "opening" } });
  await SurvivalLedgerEntry.update(
    { state: "confirmed", confirmedAt: clockNow() },
    { where: { serverId, what: "participation", ref: String(id), state: "pushed" } },
  );
  return entered.reload();
}

/** Attempts of one step follow each other, so nobody else enters the same meanwhile. */
const enter = (
  opening: ParticipationOpening,
  { sequelize }: Context,
): Promise<SurvivalParticipation> =>
  inTransaction(sequelize, async (transaction) => {
    const { SurvivalParticipation: Model, SurvivalLedgerEntry } = modelsOf(transaction);
    const { serverId, runId, stepId, durationSec } = opening;
    const leaseUntil = clockAfter(durationSec * 1_000);
    const made = await Model.create({ ...opening, leaseUntil, members: [] }, { transaction });
    const ref = String(made.id);
    await SurvivalLedgerEntry.create(
      { serverId, what: "participation", ref, state: "pushed", leaseUntil, runId, stepId },
      { transaction },
    );
    return made.reload({ transaction });
  });
