import type { Transaction } from "sequelize";

import type { LedgerState } from "../../../models/survival/survival-ledger-entry.ts";
import type {
  SurvivalZoneLease,
  ZoneLeaseState,
} from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { openZoneCall, closeZoneCall } from "../calls/zone-calls.ts";
import type { SurvivalContext } from "../context.ts";

export const zoneIdOf = (leaseId: string): string => `site-${leaseId}`;

/** Returns the number of seconds for which the game keeps a zone without a renewal. */
export const computeLeaseTtl = (
  remainingSec: number,
  { config }: Pick<Context, "config">,
): number => Math.max(1, Math.ceil(Math.min(config.SURVIVAL_LEASE_TTL / 1_000, remainingSec)));

/**
 * Has the game open the zone of a lease. All attempts send the same body and idempotency key, so the game opens
 * it once. Leases of older releases store no preset name, so the preset's key is the default name.
 * @throws {BridgeError} if the server refused or did not answer
 */
export async function openZoneInGame(
  { leaseId, serverId, presetKey, preset, at, durationSec, runId }: SurvivalZoneLease,
  order: CommandOptions,
  context: SurvivalContext,
): Promise<void> {
  const body = {
    leaseId,
    zoneId: zoneIdOf(leaseId),
    preset: { key: presetKey, name: presetKey, ...preset },
    at,
    ttlSec: computeLeaseTtl(durationSec, context),
    ...(runId !== null && { runId }),
  };
  await context.survival.call(serverId, (control) =>
    control.command(openZoneCall, { ...order, idempotencyKey: leaseId }, { body }),
  );
}

/** Milliseconds before a job retries. */
const retryMs = 5_000;

/** Marks a zone as open. If the site closed the zone while the game was opening it, has the game close it. */
export async function markZoneOpen(
  { leaseId, serverId }: Pick<SurvivalZoneLease, "leaseId" | "serverId">,
  order: CommandOptions,
  context: SurvivalContext,
): Promise<void> {
  const opened = { from: ["opening"], to: "open", ledger: "confirmed" } as const;
  if (await transitionLease(leaseId, opened, context.sequelize)) return;
  const again = { from: ["closing", "closed", "failed"], to: "closing" } as const;
  if (!(await transitionLease(leaseId, again, context.sequelize))) return;
  try {
    await closeZoneInGame({ leaseId, serverId }, order, context);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    await scheduleZoneMaintenance(serverId, { context, afterMs: retryMs });
  }
}

/** Has the game remove a zone. A zone that the game does not know counts as closed. @throws {BridgeError} */
export async function closeZoneInGame(
  { leaseId, serverId }: Pick<SurvivalZoneLease, "leaseId" | "serverId">,
  order: CommandOptions,
  { survival, sequelize, models }: Pick<SurvivalContext, "survival" | "sequelize" | "models">,
): Promise<void> {
  try {
    await survival.call(serverId, (control) =>
      control.command(
        closeZoneCall,
        { ...order, idempotencyKey: `${leaseId}/close` },
        { params: { leaseId } },
      ),
    );
  } catch (error) {
    if (!(error instanceof BridgeError) || error.code !== "NOT_FOUND") throw error;
    if (await expireIfLapsed(leaseId, { sequelize, models })) return;
  }
  const closed = { from: ["closing"], to: "closed", ledger: "withdrawn" } as const;
  await transitionLease(leaseId, closed, sequelize);
}

/**
 * Ends a lease that was not renewed in time, because the game has already removed its zone.
 * @returns true if the lease ended
 */
async function expireIfLapsed(
  leaseId: string,
  { sequelize, models }: Pick<Context, "sequelize" | "models">,
): Promise<boolean> {
  const lapsed = await models.SurvivalZoneLease.scope("lapsed").findOne({
    where: { leaseId },
    attributes: ["heldUntil"],
  });
  if (!lapsed) return false;
  const ended = { reason: "timeout", at: lapsed.heldUntil.valueOf() };
  const expired = { from: ["closing"], to: "expired", ledger: "expired", ...ended } as const;
  await transitionLease(leaseId, expired, sequelize);
  return true;
}

interface LeaseTransition {
  readonly from: readonly ZoneLeaseState[];
  readonly to: ZoneLeaseState;
  /** New state of the lease's ledger entry; absent for no change. */
  readonly ledger?: LedgerState;
  readonly reason?: string;
  /** End time in epoch milliseconds; by default the current time. */
  readonly at?: number;
}

/** Updates a lease and its ledger entry. @returns false if the lease's state is not in `from` */
export async function transitionLease(
  leaseId: string,
  move: LeaseTransition,
  database: Database,
): Promise<boolean> {
  const { from, to, ledger = null, reason = null, at = null } = move;
  const values = [leaseId, [...from], to, ledger, reason, at];
  return (await rows(database, statement, values)).length > 0;
}

const statement = `
  with moved as (
    update survival_zone_leases
    set state = $3::text, reason = coalesce($5::text, reason),
      ended_at = case when $3::text in ('closed', 'expired', 'failed')
        then coalesce(to_timestamp($6::float8 / 1000.0), clock_timestamp()) end
    where lease_id = $1::uuid and state = any($2::text[])
    returning lease_id, server_id, ended_at, reason
  ), noted as (
    update survival_ledger entry
    set state = $4::text, reason = coalesce(moved.reason, entry.reason),
      confirmed_at = case when $4::text = 'confirmed' then clock_timestamp() else entry.confirmed_at end,
      ended_at = moved.ended_at
    from moved
    where $4::text is not null and entry.server_id = moved.server_id and entry.what = 'zone'
      and entry.ref = moved.lease_id::text and entry.state in ('pushed', 'confirmed')
  )
  select lease_id from moved`;

interface MaintainOptions {
  readonly within?: Transaction | SqlClient;
  readonly context: Pick<Context, "queue" | "config">;
  /** Milliseconds before the job runs; by default a third of a lease. */
  readonly afterMs?: number;
}

/** Schedules the job for a server's zones, unless one is queued already. */
export async function scheduleZoneMaintenance(
  serverId: number,
  { within, context: { queue, config }, afterMs = config.SURVIVAL_LEASE_TTL / 3 }: MaintainOptions,
): Promise<void> {
  await queue.enqueue(
    "survival.hold-zones",
    { serverId },
    {
      key: String(serverId),
      subject: String(serverId),
      afterMs,
      ...(within && { within }),
    },
  );
}
