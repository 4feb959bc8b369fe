import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type {
  ParticipationMethod,
  SurvivalParticipation,
  Participant,
} from "../../../models/survival/players/survival-participation.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement, rows } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { requireCapability } from "../calls/call-rules.ts";
import { openParticipationCall, collectParticipationCall } from "../calls/reward-calls.ts";
import type { SurvivalContext } from "../context.ts";

/** The parameters of a step that has the game count participants. */
export interface ParticipationOpening {
  readonly serverId: number;
  readonly method: ParticipationMethod;
  readonly zoneId: string | null;
  readonly profile: string | null;
  readonly durationSec: number;
  readonly runId: number;
  readonly stepId: number | null;
  /** The idempotency key, equal for all attempts of the step. */
  readonly stepKey: string;
}

/**
 * Has the game count participants. Stores the row first, so that a repeated step starts no second count.
 * @throws {BridgeError}
 */
export async function openParticipation(
  opening: ParticipationOpening,
  order: CommandOptions,
  context: SurvivalContext,
): Promise<SurvivalParticipation> {
  const { SurvivalParticipation: Model, SurvivalLedgerEntry } = context.models;
  const known = await Model.findOne({ where: { stepKey: opening.stepKey } });
  if (known && known.state !== "opening") return known;
  await requireCapability(opening.serverId, "participation", context);
  const entered = known ?? (await storeParticipation(opening, context));
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

/** Attempts of one step run one after another, so the row cannot be created twice. */
const storeParticipation = (
  opening: ParticipationOpening,
  { sequelize }: Context,
): Promise<SurvivalParticipation> =>
  inCallersTransaction(sequelize, async (transaction) => {
    const { SurvivalParticipation: Model, SurvivalLedgerEntry } = modelsOf(transaction);
    const { serverId, runId, stepId, durationSec } = opening;
    const leaseUntil = clockNowPlus(durationSec * 1_000);
    const made = await Model.create({ ...opening, leaseUntil, members: [] }, { transaction });
    const ref = String(made.id);
    await SurvivalLedgerEntry.create(
      { serverId, what: "participation", ref, state: "pushed", leaseUntil, runId, stepId },
      { transaction },
    );
    return made.reload({ transaction });
  });

/**
 * Ends the counting and stores the participants, highest score first. Adds the run to the histories of
 * users with linked Steam accounts. A collected result does not change.
 * @throws {BridgeError} if the server refused or did not answer
 */
export async function collectParticipation(
  id: number,
  order: CommandOptions,
  context: SurvivalContext,
): Promise<SurvivalParticipation> {
  const found = await findParticipation(id, context);
  if (found.state === "collected") return found;
  await requireCapability(found.serverId, "participation", context);
  const { members } = await context.survival.call(found.serverId, (control) =>
    control.command(
      collectParticipationCall,
      { ...order, idempotencyKey: `participation:${id}/collect` },
      { params: { id: String(id) } },
    ),
  );
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const kept = JSON.stringify(oncePerPlayer(members).toSorted(byScore));
    const changed = await rows(transaction, storeCollected, [id, kept]);
    if (changed.length > 0) await executeStatement(transaction, addToHistory, [id]);
  });
  return found.reload();
}

/** @throws {AppError} missing if no participation has this id */
export async function findParticipation(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<SurvivalParticipation> {
  const found = await models.SurvivalParticipation.findByPk(id);
  if (!found) throw notFoundError("There is no such participation");
  return found;
}

const oncePerPlayer = (members: readonly Participant[]): Participant[] => [
  ...new Map(members.map((member) => [member.steamId, member])).values(),
];

/** If scores are equal, the participant who took part first comes first. */
const byScore = (one: Participant, other: Participant): number =>
  other.score - one.score || one.firstAt - other.firstAt || (one.steamId < other.steamId ? -1 : 1);

const storeCollected = `
  with closed as (
    update survival_participations
    set state = 'collected', members = $2::jsonb, closed_at = clock_timestamp()
    where id = $1 and state <> 'collected' returning id, server_id
  ), noted as (
    update survival_ledger entry set state = 'withdrawn', ended_at = clock_timestamp(),
      reason = 'collected'
    from closed
    where entry.server_id = closed.server_id and entry.what = 'participation'
      and entry.ref = closed.id::text and entry.state in ('pushed', 'confirmed')
  )
  select id from closed`;

const addToHistory = `
  insert into event_participations (run_id, user_id, rewards)
  select distinct part.run_id, link.user_id, '[]'::jsonb
  from survival_participations part
  cross join lateral jsonb_array_elements(part.members) as member
  join steam_links link on link.steam_id = member ->> 'steamId'
  join event_runs run on run.id = part.run_id
  where part.id = $1
  on conflict (run_id, user_id) do nothing`;

/**
 * Returns the players to reward: the first `most` who have at least `leastShare` percent of the total
 * score. Shares count all damage to an NPC, so the last shot of a turret takes no reward from a player.
 */
export function selectWinners(
  { members }: Pick<SurvivalParticipation, "members">,
  { most, leastShare }: { readonly most: number; readonly leastShare: number },
): string[] {
  const total = members.reduce((sum, { score }) => sum + score, 0);
  const isEnough = ({ score }: Participant): boolean =>
    leastShare === 0 || (total > 0 && (score / total) * 100 >= leastShare);
  return members
    .filter(isEnough)
    .slice(0, most)
    .map(({ steamId }) => steamId);
}
