import type { Transaction } from "sequelize";

import type { Appeal, UnbanStatus } from "../../models/appeals/appeal.ts";
import { recordActivity } from "../activity/activity.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import { type Actor, serviceActor } from "../bridge/call.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import { messageOf } from "../errors.ts";
import { unban } from "../shard/calls/bridge-calls.ts";
import { endInForce, findInForce } from "../shard/punishments/in-force.ts";
import { unbanKey } from "./decide-appeal.ts";

/** As long as a sidecar remembers a command: until then a repeated one is carried out once. */
const tryForMs = 24 * 60 * 60 * 1000;

interface Outcome {
  readonly status: Exclude<UnbanStatus, "queued">;
  readonly reason: string | null;
}

const done: Outcome = { status: "done", reason: null };
const failed = (reason: string): Outcome => ({ status: "failed", reason });

/**
 * Has the shard lift the ban of an accepted appeal, once, however often it is tried.
 * @throws {BridgeError} when another try may succeed
 */
export async function carryOutUnban(appealId: number, context: Context): Promise<void> {
  const appeal = await context.models.Appeal.findByPk(appealId, {
    include: [{ association: "decider", attributes: ["id", "username", "role"] }],
  });
  if (appeal?.unbanStatus !== "queued" || !appeal.decidedAt) return;
  if (Date.now() - appeal.decidedAt.getTime() > tryForMs) {
    return settle(appeal, failed(`Given up after a day: ${appeal.unbanReason}`), context);
  }
  const known = await findKnownOutcome(appeal, context);
  return settle(appeal, known ?? (await askShard(appeal, context)), context);
}

/**
 * What needs no call: nothing shuts the account out, or what does came after the decision. Of any
 * other ban the shard is asked, whichever was appealed: one that was given in the game may have taken
 * the place of the one that was.
 */
async function findKnownOutcome(
  { account, decidedAt }: Appeal,
  context: Context,
): Promise<Outcome | null> {
  const inForce = await findInForce(account, context);
  if (!inForce) return done;
  const isNew = decidedAt !== null && inForce.issuedAt > decidedAt;
  return isNew ? failed("The account has been banned anew since") : null;
}

async function askShard(appeal: Appeal, context: Context): Promise<Outcome> {
  const { id, account } = appeal;
  const order = { actor: actorOf(appeal), idempotencyKey: unbanKey(id) };
  try {
    await context.shard.call((control) => control.command(unban, order, { body: { account } }));
    return done;
  } catch (error) {
    if (error instanceof BridgeError && final.includes(error.code)) return failed(error.message);
    await appeal.update({ unbanReason: messageOf(error) });
    throw error;
  }
}

/** The shard is told who decided; a repeated command names the same, while the account lasts. */
function actorOf({ decider }: Appeal): Actor {
  if (!decider) return serviceActor;
  return { userId: decider.id, username: decider.username, role: decider.role };
}

/** Trying again changes none of these. */
const final: readonly string[] = ["PROTECTED", "NOT_FOUND", "INVALID", "CONFLICT"];

const settle = (appeal: Appeal, outcome: Outcome, { sequelize }: Context): Promise<void> =>
  inTransaction(sequelize, async (transaction) => {
    const { status: unbanStatus, reason: unbanReason } = outcome;
    await appeal.update({ unbanStatus, unbanReason }, { transaction });
    const { account, decidedAt } = appeal;
    if (outcome.status === "done" && decidedAt) await endInForce(account, decidedAt, transaction);
    await recordOutcome(appeal, outcome, transaction);
  });

const recordOutcome = (
  { id, account, decidedBy }: Appeal,
  { status, reason }: Outcome,
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    {
      actorId: decidedBy,
      action: "shard.unban",
      target: { type: "gameAccount", id: account },
      detail: { account, appeal: id, outcome: status, ...(reason !== null && { reason }) },
    },
    transaction,
  );

/** The queue tries no more. */
export async function giveUpUnban(
  appealId: number,
  cause: unknown,
  context: Context,
): Promise<void> {
  const appeal = await context.models.Appeal.findByPk(appealId);
  if (appeal?.unbanStatus !== "queued") return;
  await settle(appeal, failed(`Given up: ${messageOf(cause)}`), context);
}
