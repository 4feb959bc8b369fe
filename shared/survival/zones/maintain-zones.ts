import { clockNow } from "../../../models/queries/clock.ts";
import { computeColumn, type PlainRow, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { isPossiblyDelivered, systemActor } from "../calls/call-rules.ts";
import { renewZoneCall } from "../calls/zone-calls.ts";
import type { SurvivalContext } from "../context.ts";
import {
  closeZoneInGame,
  scheduleZoneMaintenance,
  transitionLease,
  markZoneOpen,
  openZoneInGame,
  computeLeaseTtl,
} from "./leases.ts";

const columns = [
  "leaseId",
  "serverId",
  "state",
  "heldUntil",
  "leaseUntil",
  "openedAt",
] as const satisfies readonly (keyof SurvivalZoneLease)[];

/** The database's time when the row is read. */
const computedColumns = { now: computeColumn<Date>(clockNow()) };

type LiveLease = PlainRow<SurvivalZoneLease, (typeof columns)[number], typeof computedColumns>;

/** Milliseconds after which a request to open a zone has been answered or has failed. */
const answerTimeoutMs = 12_000;

/** Milliseconds before a retry. */
const retryMs = 5_000;

/** Opens, renews and closes the zones of a server, or schedules this for all servers with zones. */
export async function maintainZones(
  serverId: number | undefined,
  context: SurvivalContext,
): Promise<void> {
  if (serverId === undefined) return scheduleAllServers(context);
  const leases = await readLive(serverId, context);
  const waits = await Promise.all(leases.map((lease) => maintainZone(lease, context)));
  const next = waits.filter((wait) => wait !== null);
  if (next.length === 0) return;
  await scheduleZoneMaintenance(serverId, { context, afterMs: Math.min(...next) });
}

/** Schedules a job for each server with zones, so that a lost job is replaced within a minute. */
async function scheduleAllServers(context: SurvivalContext): Promise<void> {
  const found = await context.models.SurvivalZoneLease.scope("live").findAll({
    attributes: ["serverId"],
    group: ["serverId"],
  });
  for (const { serverId } of found) {
    await scheduleZoneMaintenance(serverId, { context, afterMs: 0 });
  }
}

const readLive = (serverId: number, { models }: Context): Promise<LiveLease[]> =>
  readPlainRows(models.SurvivalZoneLease.scope("live"), {
    columns,
    computed: computedColumns,
    where: { serverId },
    order: ["openedAt"],
  });

/** Handles one zone. @returns milliseconds until the next check; null for none */
async function maintainZone(lease: LiveLease, context: SurvivalContext): Promise<number | null> {
  try {
    return await handlers[lease.state as "opening" | "open" | "closing"](lease, context);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    const { leaseId, serverId } = lease;
    context.log.warn(
      { leaseId, serverId, code: error.code },
      "a call to the game server for a zone failed",
    );
    return (await endLostLease(lease, error, context)) ? null : retryMs;
  }
}

type Handler = (lease: LiveLease, context: SurvivalContext) => Promise<number | null>;

const handlers: Readonly<Record<"opening" | "open" | "closing", Handler>> = {
  opening: async (lease, context) => {
    const sinceMs = lease.now.valueOf() - lease.openedAt.valueOf();
    if (sinceMs < answerTimeoutMs) return answerTimeoutMs - sinceMs;
    const whole = await context.models.SurvivalZoneLease.findByPk(lease.leaseId);
    if (whole?.state !== "opening") return 0;
    await openZoneInGame(whole, system, context);
    await markZoneOpen(whole, system, context);
    return 0;
  },
  open: async (lease, context) => {
    const { now, leaseUntil, heldUntil } = lease;
    const restMs = leaseUntil.valueOf() - now.valueOf();
    if (restMs <= 0) {
      const over = { from: ["open"], to: "closing", reason: "ended" } as const;
      await transitionLease(lease.leaseId, over, context.sequelize);
      return handlers.closing(lease, context);
    }
    const ttlMs = context.config.SURVIVAL_LEASE_TTL;
    const dueMs = heldUntil.valueOf() - now.valueOf() - (ttlMs * 2) / 3;
    const isHeldToItsEnd = heldUntil >= leaseUntil;
    if (isHeldToItsEnd || dueMs > 0) return Math.min(isHeldToItsEnd ? restMs : dueMs, restMs);
    return renew(lease, context);
  },
  closing: async ({ leaseId, serverId }, context) => {
    await closeZoneInGame({ leaseId, serverId }, system, context);
    return null;
  },
};

const system: CommandOptions = { actor: systemActor };

/** Stores the extended end before the request, because the answer may be lost. */
async function renew(lease: LiveLease, context: SurvivalContext): Promise<number | null> {
  const { leaseId, serverId, leaseUntil, now } = lease;
  const restMs = leaseUntil.valueOf() - now.valueOf();
  const ttlSec = computeLeaseTtl(restMs / 1_000, context);
  const noted = await context.models.SurvivalZoneLease.extendHold(leaseId, ttlSec * 1_000);
  if (!noted) return 0;
  try {
    await context.survival.call(serverId, (control) =>
      control.command(renewZoneCall, system, { params: { leaseId }, body: { ttlSec } }),
    );
  } catch (error) {
    // Restore the lease's former expiry only if the request certainly did not reach the game server.
    const mayHold = error instanceof BridgeError && isPossiblyDelivered(error);
    if (!mayHold) await context.models.SurvivalZoneLease.restoreHold(lease, noted);
    throw error;
  }
  return Math.min(restMs, context.config.SURVIVAL_LEASE_TTL / 3);
}

/** Ends a lease whose zone has expired or is unknown to the game. @returns true if it has ended */
async function endLostLease(
  lease: LiveLease,
  error: BridgeError,
  context: SurvivalContext,
): Promise<boolean> {
  const { leaseId, state, heldUntil, now } = lease;
  const isLapsed = heldUntil <= now;
  const isGone = error.code === "NOT_FOUND" && state !== "opening";
  if (!isLapsed && !isGone) return false;
  const from = ["opening", "open", "closing"] as const;
  if (state === "opening") {
    const lost = { from, to: "failed", ledger: "lost", reason: error.code } as const;
    return transitionLease(leaseId, lost, context.sequelize);
  }
  const expired = { from, to: "expired", ledger: "expired" } as const;
  const why = isLapsed ? { reason: "timeout", at: heldUntil.valueOf() } : { reason: "removed" };
  return transitionLease(leaseId, { ...expired, ...why }, context.sequelize);
}
