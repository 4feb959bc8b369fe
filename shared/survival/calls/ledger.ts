import { Op } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type {
  LedgerObjectType,
  SurvivalLedgerEntry,
  LedgerState,
} from "../../../models/survival/survival-ledger-entry.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { isPossiblyDelivered } from "./call-rules.ts";

/** A change to the world of a server, and the event step that causes the change, if any. */
export interface LedgerAction {
  readonly serverId: number;
  readonly what: LedgerObjectType;
  readonly ref: string;
  readonly runId: number | null;
  readonly stepId: number | null;
}

/** Stores a ledger entry, then runs the action. Retries with the same step and reference share the entry. */
export async function runWithLedgerEntry<Answer>(
  deed: LedgerAction,
  act: () => Promise<Answer>,
  context: Pick<Context, "sequelize" | "models">,
): Promise<Answer> {
  const { serverId, what, ref, runId, stepId } = deed;
  const values = [serverId, what, ref, runId, stepId];
  const [entry] = await rows<Pick<SurvivalLedgerEntry, "id">>(
    context.sequelize,
    insertEntry,
    values,
  );
  return runWithExistingLedgerEntry(entry?.id ?? 0, act, context);
}

/**
 * Runs an action and stores its result in an existing ledger entry. Attempts may run concurrently, so a late
 * failure does not overwrite the states `confirmed` and `expired`.
 */
export async function runWithExistingLedgerEntry<Answer>(
  id: SurvivalLedgerEntry["id"],
  act: () => Promise<Answer>,
  { models }: Pick<Context, "models">,
): Promise<Answer> {
  const where = { id, state: ["pushed", "failed", "lost"] };
  try {
    const answer = await act();
    const done = {
      state: "confirmed",
      confirmedAt: clockNow(),
      endedAt: null,
      reason: null,
    } as const;
    await models.SurvivalLedgerEntry.update(done, { where });
    return answer;
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    const state = isPossiblyDelivered(error) ? "lost" : "failed";
    const failed = { state, reason: error.code, endedAt: clockNow() } as const;
    await models.SurvivalLedgerEntry.update(failed, { where });
    throw error;
  }
}

const insertEntry = `
  with known as (
    select id from survival_ledger
    where server_id = $1 and what = $2 and ref = $3 and run_id is not distinct from $4
      and step_id is not distinct from $5
    order by id desc limit 1
  ), made as (
    insert into survival_ledger (server_id, what, ref, state, run_id, step_id)
    select $1, $2, $3, 'pushed', $4::integer, $5::bigint where not exists (select from known)
    returning id
  )
  select id from known union all select id from made`;

export interface LedgerSearch {
  readonly server?: number;
  readonly what?: LedgerObjectType;
  readonly state?: LedgerState;
  /** Return only entries older than the entry with this id. */
  readonly before?: number;
  readonly limit: number;
}

/** Reads the changes that the site made in the worlds of game servers, newest first. */
export async function readLedger(
  { server, what, state, before, limit }: LedgerSearch,
  { models }: Pick<Context, "models">,
): Promise<{ ledger: SurvivalLedgerEntry[]; next?: number }> {
  const found = await models.SurvivalLedgerEntry.findAll({
    where: {
      ...(server !== undefined && { serverId: server }),
      ...(what !== undefined && { what }),
      ...(state !== undefined && { state }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
    },
    order: [["id", "DESC"]],
    limit: limit + 1,
    raw: true,
  });
  const ledger = found.slice(0, limit);
  const next = found.length > limit ? ledger.at(-1)?.id : undefined;
  return { ledger, ...(next !== undefined && { next }) };
}
