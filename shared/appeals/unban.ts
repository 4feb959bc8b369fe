import type { Transaction } from "sequelize";

import type { UnbanStatus } from "../../models/appeals/appeal.ts";
import { findUser } from "../auth/users/users.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { BridgeError } from "../platform/bridge/bridge-error.ts";
import { type CommandActor, serviceActor } from "../platform/bridge/calls/call.ts";
import type { Context } from "../platform/context.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import { AppError, messageOf } from "../platform/errors/errors.ts";
import { type EndedJobAttempt, lockCurrentAttempt } from "../platform/job-records/job-states.ts";
import type { PayloadOf } from "../platform/queue/queues.ts";
import { unbanCall } from "../shard/calls/staff-calls.ts";
import type { ShardContext } from "../shard/context.ts";
import {
  endBansInForce,
  findBanInForce,
  isBanPending,
  lockBanInForce,
} from "../shard/punishments/in-force.ts";
import { unbanIdempotencyKey } from "./decide-appeal.ts";

/** How long the unban is retried. A sidecar remembers commands for this long, so a repeated command runs once. */
const tryForMs = 24 * 60 * 60 * 1000;

interface UnbanOutcome {
  readonly status: Exclude<UnbanStatus, "queued">;
  readonly reason: string | null;
}

const done: UnbanOutcome = { status: "done", reason: null };
const failed = (reason: string): UnbanOutcome => ({ status: "failed", reason });

/** An unban that staff have decided and the shard has not executed yet. */
interface PendingUnban {
  readonly appealId: number;
  readonly account: string;
  readonly decidedAt: Date;
  readonly decidedBy: number | null;
  /** The reason of the last failed attempt. */
  readonly lastReason?: string;
}

/**
 * Makes the shard lift the ban of an accepted appeal. Repeated calls lift it only once.
 * @throws {BridgeError} if a retry may succeed
 */
export async function carryOutUnban(
  order: PayloadOf<"appeals.unban">,
  context: ShardContext,
): Promise<void> {
  const decided = await readPendingUnban(order, context);
  if (!decided) return;
  if (Date.now() - decided.decidedAt.getTime() > tryForMs) {
    const { lastReason = "the game server did not answer" } = decided;
    return storeUnbanOutcome(
      decided,
      failed(`The site gave up after a day: ${lastReason}`),
      context,
    );
  }
  const known = await findOutcomeWithoutCall(decided, context);
  return storeUnbanOutcome(decided, known ?? (await askShard(decided, context)), context);
}

/**
 * Reads the unban from the appeal, or from the job if the appeal was deleted with its owner's account.
 * @returns null if nothing is left to do
 */
async function readPendingUnban(
  { appealId, account, decidedAt, decidedBy = null }: PayloadOf<"appeals.unban">,
  { models }: Context,
): Promise<PendingUnban | null> {
  const appeal = await models.Appeal.findByPk(appealId);
  if (!appeal) {
    if (account === undefined || decidedAt === undefined) return null;
    return { appealId, account, decidedAt: new Date(decidedAt), decidedBy };
  }
  const { unbanStatus, unbanReason, decidedAt: at } = appeal;
  if (unbanStatus !== "queued" || !at) return null;
  const decided = { appealId, account: appeal.account, decidedAt: at };
  // `appeal.decidedBy` is null once the account of the staff member is deleted.
  const by = { decidedBy: decidedBy ?? appeal.decidedBy };
  return { ...decided, ...by, ...(unbanReason !== null && { lastReason: unbanReason }) };
}

/**
 * Returns the outcome if no call is needed, else null. Every ban that is older than the decision must be
 * lifted: a ban issued in the game may have replaced the appealed ban.
 */
async function findOutcomeWithoutCall(
  { account, decidedAt }: PendingUnban,
  context: ShardContext,
): Promise<UnbanOutcome | null> {
  const inForce = await findBanInForce(account, context);
  if (!inForce) return done;
  return inForce.issuedAt > decidedAt
    ? failed("The account has been banned again since the decision")
    : null;
}

async function askShard(decided: PendingUnban, context: ShardContext): Promise<UnbanOutcome> {
  const { appealId: id, account } = decided;
  const order = { actor: await actorOf(decided, context), idempotencyKey: unbanIdempotencyKey(id) };
  try {
    await refuseDuringBan(decided, context);
    await context.shard.call((control) => control.command(unbanCall, order, { body: { account } }));
    return done;
  } catch (error) {
    if (error instanceof BridgeError && final.includes(error.code)) return failed(error.message);
    const where = { id, unbanStatus: "queued" as const };
    await context.models.Appeal.update({ unbanReason: messageOf(error) }, { where });
    throw error;
  }
}

/** Throws while a newer ban has no outcome yet, because the unban could lift that ban. A retry follows. */
async function refuseDuringBan(
  { account, decidedAt }: PendingUnban,
  context: ShardContext,
): Promise<void> {
  if (!(await isBanPending(account, decidedAt, context))) return;
  throw new AppError("busy", "The account is being banned again");
}

/** Returns the staff member who decided; the service itself once that member's account is deleted. */
async function actorOf({ decidedBy }: PendingUnban, context: ShardContext): Promise<CommandActor> {
  const decider = decidedBy === null ? null : await findUser(decidedBy, context);
  if (!decider) return serviceActor;
  return { userId: decider.id, username: decider.username, role: decider.role };
}

/** Refusal codes for which a retry is useless. */
const final: readonly string[] = ["PROTECTED", "NOT_FOUND", "INVALID", "CONFLICT"];

/** Stores the outcome once. If `last` is given, it must still be the job's current attempt. */
const storeUnbanOutcome = (
  decided: PendingUnban,
  outcome: UnbanOutcome,
  { sequelize }: Context,
  last?: EndedJobAttempt,
): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    const { appealId, account, decidedAt } = decided;
    // Lock the punishment before the appeal, in the same order as `decideAppeal`.
    await lockBanInForce(account, transaction);
    if (last && !(await lockCurrentAttempt(last, transaction))) return;
    const isFirst = await settleAppeal(appealId, outcome, transaction);
    if (!isFirst) return;
    if (outcome.status === "done") await endBansInForce(account, decidedAt, transaction);
    await recordOutcome(decided, outcome, transaction);
  });

/** @returns false if another attempt has already stored an outcome */
async function settleAppeal(
  id: number,
  { status: unbanStatus, reason: unbanReason }: UnbanOutcome,
  transaction: Transaction,
): Promise<boolean> {
  const { Appeal } = modelsOf(transaction);
  const where = { id, unbanStatus: "queued" as const };
  const [settled] = await Appeal.update({ unbanStatus, unbanReason }, { where, transaction });
  return settled > 0 || (await Appeal.count({ where: { id }, transaction })) === 0;
}

const recordOutcome = (
  { appealId, account, decidedBy }: PendingUnban,
  { status, reason }: UnbanOutcome,
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    {
      actorId: decidedBy,
      action: "shard.unban",
      target: { type: "gameAccount", id: account },
      detail: { account, appeal: appealId, outcome: status, ...(reason !== null && { reason }) },
    },
    transaction,
  );

/** Fails an unban after the last attempt, unless its job was retried meanwhile. */
export async function failUnban(
  order: PayloadOf<"appeals.unban">,
  last: EndedJobAttempt & { readonly cause: unknown },
  context: ShardContext,
): Promise<void> {
  const decided = await readPendingUnban(order, context);
  const outcome = failed(`The site gave up: ${messageOf(last.cause)}`);
  if (decided) await storeUnbanOutcome(decided, outcome, context, last);
}
