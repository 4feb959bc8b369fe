import type { Transaction } from "sequelize";

import type { UnbanStatus } from "../../models/appeals/appeal.ts";
import { findUser } from "../auth/users/users.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { BridgeError } from "../platform/bridge/bridge-error.ts";
import { type Actor, serviceActor } from "../platform/bridge/calls/call.ts";
import type { Context } from "../platform/context.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import { AppError, messageOf } from "../platform/errors/errors.ts";
import { type EndedAttempt, speaksForJob } from "../platform/job-records/job-states.ts";
import type { PayloadOf } from "../platform/queue/queues.ts";
import { unban } from "../shard/calls/staff-calls.ts";
import type { ShardContext } from "../shard/context.ts";
import {
  endInForce,
  findInForce,
  isBanUnderWay,
  lockInForce,
} from "../shard/punishments/in-force.ts";
import { unbanKey } from "./decide-appeal.ts";

/** As long as a sidecar remembers a command: until then a repeated one is carried out once. */
const tryForMs = 24 * 60 * 60 * 1000;

interface Outcome {
  readonly status: Exclude<UnbanStatus, "queued">;
  readonly reason: string | null;
}

const done: Outcome = { status: "done", reason: null };
const failed = (reason: string): Outcome => ({ status: "failed", reason });

/** An unban that was decided and is still to be carried out. */
interface Decided {
  readonly appealId: number;
  readonly account: string;
  readonly decidedAt: Date;
  readonly decidedBy: number | null;
  /** Why the try before failed. */
  readonly lastReason?: string;
}

/**
 * Has the shard lift the ban of an accepted appeal, once, however often it is tried.
 * @throws {BridgeError} when another try may succeed
 */
export async function carryOutUnban(
  order: PayloadOf<"appeals.unban">,
  context: ShardContext,
): Promise<void> {
  const decided = await readDecided(order, context);
  if (!decided) return;
  if (Date.now() - decided.decidedAt.getTime() > tryForMs) {
    const { lastReason = "the game server did not answer" } = decided;
    return settle(decided, failed(`Given up after a day: ${lastReason}`), context);
  }
  const known = await findKnownOutcome(decided, context);
  return settle(decided, known ?? (await askShard(decided, context)), context);
}

/**
 * An appeal goes with its owner's account, and the decision stands: its job knows what is left to do.
 * Null where nothing is.
 */
async function readDecided(
  { appealId, account, decidedAt, decidedBy = null }: PayloadOf<"appeals.unban">,
  { models }: Context,
): Promise<Decided | null> {
  const appeal = await models.Appeal.findByPk(appealId);
  if (!appeal) {
    if (account === undefined || decidedAt === undefined) return null;
    return { appealId, account, decidedAt: new Date(decidedAt), decidedBy };
  }
  const { unbanStatus, unbanReason, decidedAt: at } = appeal;
  if (unbanStatus !== "queued" || !at) return null;
  const decided = { appealId, account: appeal.account, decidedAt: at };
  // The appeal forgets who decided it once they are deleted.
  const by = { decidedBy: decidedBy ?? appeal.decidedBy };
  return { ...decided, ...by, ...(unbanReason !== null && { lastReason: unbanReason }) };
}

/**
 * What needs no call: nothing shuts the account out, or what does came after the decision. Of any
 * other ban the shard is asked, whichever was appealed: one that was given in the game may have taken
 * the place of the one that was.
 */
async function findKnownOutcome(
  { account, decidedAt }: Decided,
  context: ShardContext,
): Promise<Outcome | null> {
  const inForce = await findInForce(account, context);
  if (!inForce) return done;
  return inForce.issuedAt > decidedAt ? failed("The account has been banned anew since") : null;
}

async function askShard(decided: Decided, context: ShardContext): Promise<Outcome> {
  const { appealId: id, account } = decided;
  const order = { actor: await actorOf(decided, context), idempotencyKey: unbanKey(id) };
  try {
    await refuseBeforeBan(decided, context);
    await context.shard.call((control) => control.command(unban, order, { body: { account } }));
    return done;
  } catch (error) {
    if (error instanceof BridgeError && final.includes(error.code)) return failed(error.message);
    const where = { id, unbanStatus: "queued" as const };
    await context.models.Appeal.update({ unbanReason: messageOf(error) }, { where });
    throw error;
  }
}

/** A ban that was ordered since may be carried out any moment: an unban that comes after would lift it. */
async function refuseBeforeBan(
  { account, decidedAt }: Decided,
  context: ShardContext,
): Promise<void> {
  if (!(await isBanUnderWay(account, decidedAt, context))) return;
  throw new AppError("busy", "The account is being banned anew");
}

/** The shard is told who decided; a repeated command names the same, while the account lasts. */
async function actorOf({ decidedBy }: Decided, context: ShardContext): Promise<Actor> {
  const decider = decidedBy === null ? null : await findUser(decidedBy, context);
  if (!decider) return serviceActor;
  return { userId: decider.id, username: decider.username, role: decider.role };
}

/** Trying again changes none of these. */
const final: readonly string[] = ["PROTECTED", "NOT_FOUND", "INVALID", "CONFLICT"];

/**
 * Two attempts may be under way at once, one of them given up: the first to settle it has done so.
 * @param last the attempt that gives it up, which does so for its own job alone
 */
const settle = (
  decided: Decided,
  outcome: Outcome,
  { sequelize }: Context,
  last?: EndedAttempt,
): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    const { appealId, account, decidedAt } = decided;
    // The punishment first, as whoever decides does.
    await lockInForce(account, transaction);
    if (last && !(await speaksForJob(last, transaction))) return;
    const isFirst = await settleAppeal(appealId, outcome, transaction);
    if (!isFirst) return;
    if (outcome.status === "done") await endInForce(account, decidedAt, transaction);
    await recordOutcome(decided, outcome, transaction);
  });

/** @returns false where another attempt settled it */
async function settleAppeal(
  id: number,
  { status: unbanStatus, reason: unbanReason }: Outcome,
  transaction: Transaction,
): Promise<boolean> {
  const { Appeal } = modelsOf(transaction);
  const where = { id, unbanStatus: "queued" as const };
  const [settled] = await Appeal.update({ unbanStatus, unbanReason }, { where, transaction });
  return settled > 0 || (await Appeal.count({ where: { id }, transaction })) === 0;
}

const recordOutcome = (
  { appealId, account, decidedBy }: Decided,
  { status, reason }: Outcome,
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

/** The queue tries no more, unless the job was retried meanwhile. */
export async function giveUpUnban(
  order: PayloadOf<"appeals.unban">,
  last: EndedAttempt & { readonly cause: unknown },
  context: ShardContext,
): Promise<void> {
  const decided = await readDecided(order, context);
  const outcome = failed(`Given up: ${messageOf(last.cause)}`);
  if (decided) await settle(decided, outcome, context, last);
}
