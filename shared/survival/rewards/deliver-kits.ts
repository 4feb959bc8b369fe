import { Op } from "sequelize";

import type { SurvivalEntitlement } from "../../../models/survival/players/survival-entitlement.ts";
import { type BridgeCode, BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { isKnownToLackCapability, systemActor } from "../calls/call-rules.ts";
import { entitleKitCall } from "../calls/reward-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { matchKitKey, scheduleDelivery } from "./entitlements.ts";
import {
  expireKitsSql,
  markKitDeliveredSql,
  recordKitRefusalSql,
  retryFailedKitsSql,
} from "./kits.sql.ts";

type PendingKit = Pick<
  SurvivalEntitlement,
  "id" | "steamId" | "kit" | "uses" | "used" | "expiresAt" | "round"
>;

const page = 200;

/** Maximum number of concurrent requests per server. */
const maxConcurrent = 4;

/**
 * Sends pending kits to one game, or schedules the delivery for all games. Kits that the game cannot take
 * now stay pending for a retry by a job. Servers without the capability are skipped.
 */
export const deliverKits = (
  serverId: number | undefined,
  context: SurvivalContext,
  signal?: AbortSignal,
): Promise<void> =>
  serverId === undefined
    ? deliverEverywhere(context)
    : deliverPending(serverId, { actor: systemActor, context, signal });

interface StepOrder {
  readonly actor: CommandActor;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/**
 * Sends the kits of an event step. `actor` is the user who started the run.
 * @returns permanent refusals, which are not retried
 */
export async function deliverKitsForStep(
  serverId: number,
  { idempotencyKey: key, actor, signal }: StepOrder,
  context: SurvivalContext,
): Promise<string[]> {
  const refusals: string[] = [];
  await retryFailed(serverId, key, context);
  await deliverPending(serverId, { key, actor, context, signal, refusals });
  return refusals;
}

/** Makes kits pending again whose delivery failed in an earlier attempt. */
const retryFailed = (serverId: number, key: string, { sequelize }: Context): Promise<number> =>
  executeStatement(sequelize, retryFailedKitsSql, [serverId, `${key}/`]);

async function deliverPending(serverId: number, delivering: DeliveryOptions): Promise<void> {
  const { context } = delivering;
  await expireKits(serverId, context);
  if (await isKnownToLackCapability(serverId, "kits", context)) return;
  for (let after = 0; ;) {
    const pending = await readPending(serverId, after, delivering);
    const last = pending.at(-1);
    if (!last || !(await deliverPage(serverId, pending, delivering))) return;
    after = last.id;
  }
}

async function deliverEverywhere({ models, queue }: Context): Promise<void> {
  const found = await models.SurvivalEntitlement.findAll({
    attributes: ["serverId"],
    where: { state: "pending" },
    include: [{ association: "server", where: { enabled: true }, attributes: [] }],
    group: ["SurvivalEntitlement.server_id"],
    raw: true,
  });
  for (const { serverId } of found) {
    await scheduleDelivery(serverId, { queue });
  }
}

interface DeliveryOptions {
  /** The step's key; absent to deliver all pending kits of the server. */
  readonly key?: string;
  readonly actor: CommandActor;
  readonly context: SurvivalContext;
  readonly signal: AbortSignal | undefined;
  /** Collects the refusals for a step. */
  readonly refusals?: string[];
}

/** @returns false if the game accepts no kits now */
async function deliverPage(
  serverId: number,
  pending: readonly PendingKit[],
  delivering: DeliveryOptions,
): Promise<boolean> {
  const { signal } = delivering;
  let isTaking = true;
  const rest = pending.toReversed();
  const work = async (): Promise<void> => {
    for (let next = rest.pop(); next && isTaking; next = rest.pop()) {
      signal?.throwIfAborted();
      isTaking = (await deliver(serverId, next, delivering)) && isTaking;
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  return isTaking;
}

const readPending = (
  serverId: number,
  after: number,
  { key, context: { models } }: DeliveryOptions,
): Promise<PendingKit[]> =>
  models.SurvivalEntitlement.findAll({
    where: {
      serverId,
      state: "pending",
      id: { [Op.gt]: after },
      ...(key !== undefined && matchKitKey(key)),
    },
    attributes: ["id", "steamId", "kit", "uses", "used", "expiresAt", "round"],
    order: ["id"],
    limit: page,
    raw: true,
  });

/** @returns false if the game accepts no kits now */
async function deliver(
  serverId: number,
  { id, steamId, kit, uses, used, expiresAt, round }: PendingKit,
  delivering: DeliveryOptions,
): Promise<boolean> {
  const { actor, context } = delivering;
  const body = {
    entitlementId: id,
    steamId,
    kit,
    uses: uses - used,
    ...(expiresAt && { expiresAt: expiresAt.valueOf() }),
  };
  // The key contains the delivery round, because the game answers a repeated key with its first answer.
  const order = { actor, idempotencyKey: `kit:${id}:${round}` };
  try {
    await context.survival.call(serverId, (control) =>
      control.command(entitleKitCall, order, { body }),
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return recordRefusal({ id, round }, error, delivering);
  }
  await markDelivered(id, round, context);
  return true;
}

const markDelivered = (id: number, round: number, { sequelize }: Context): Promise<number> =>
  executeStatement(sequelize, markKitDeliveredSql, [id, round]);

/**
 * Records a refusal. A kit that the game does not know stays pending, because its mod may return. For a
 * step, the kit fails at once, so that nobody waits for a missing kit. A kit that was never delivered is
 * removed from histories. Refusals of a former round are ignored.
 */
async function recordRefusal(
  { id, round }: Pick<PendingKit, "id" | "round">,
  error: BridgeError,
  { refusals, context: { sequelize } }: DeliveryOptions,
): Promise<boolean> {
  const { code, reason } = error;
  const isForGood = refusals ? isDefinite(error) : permanentCodes.has(code);
  if (isForGood) refusals?.push(`${code}: ${reason}`);
  await executeStatement(sequelize, recordKitRefusalSql, [
    id,
    `${code}: ${reason}`,
    isForGood,
    round,
  ]);
  return isForGood || code === "UNSUPPORTED";
}

const permanentCodes: ReadonlySet<BridgeCode> = new Set(["INVALID", "NOT_FOUND", "CONFLICT"]);

/** True if a retry would fail too. False if a mod is missing, because it may return. */
const isDefinite = ({ code, helper }: BridgeError): boolean =>
  permanentCodes.has(code) || (code === "UNSUPPORTED" && helper === undefined);

/** Ends expired kits. */
const expireKits = (serverId: number, { sequelize }: Context): Promise<number> =>
  executeStatement(sequelize, expireKitsSql, [serverId]);
