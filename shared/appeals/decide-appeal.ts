import { setTimeout as sleep } from "node:timers/promises";

import type { Transaction } from "sequelize";

import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import type { Punishment } from "../../models/shard/punishment.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { requireBaseRevision } from "../platform/base-revision.ts";
import type { Context } from "../platform/context.ts";
import { lockAccounts } from "../platform/db/stale-answers.ts";
import { inCallersTransaction } from "../platform/db/transaction.ts";
import { AppError, invalidFieldsError } from "../platform/errors/errors.ts";
import type { ShardContext } from "../shard/context.ts";
import { accountKey } from "../shard/owners/link-mirror.ts";
import { lockPunishment } from "../shard/punishments/in-force.ts";
import { hasLinkedAccount } from "../shard/staff/moderation.ts";
import { findAppeal, lockAppeal, requireOpenAppeal, lockAppealUsers } from "./find-appeal.ts";
import { assignAppeal, notifyOwner } from "./messages.ts";

export const appealOutcomes = ["accepted", "reduced", "rejected"] as const;

export interface AppealDecision {
  readonly outcome: (typeof appealOutcomes)[number];
  /** The reason for the decision. The owner of the appeal sees it. */
  readonly note: string;
  /** True to lift the ban on the shard; only for an accepted appeal. */
  readonly unban?: boolean | undefined;
}

/** How long a request waits for the shard. A later outcome is stored on the appeal. */
const unbanWaitMs = 5_000;
const pollIntervalMs = 200;

/**
 * Decides an open appeal. A separate job lifts the ban, so the decision does not wait for the shard.
 * @param found the appeal from the path of the request
 * @returns the appeal with the first outcome of the unban, or as it is after 5 seconds
 * @throws AppError 403 if the caller linked the account or opened the appeal, or a non-admin issued the ban
 */
export async function decideAppeal(
  decision: AppealDecision,
  { found, caller }: { readonly found: Appeal; readonly caller: Caller },
  context: ShardContext,
): Promise<Appeal> {
  const { outcome, unban = false } = decision;
  if (unban && outcome !== "accepted") {
    throw invalidFieldsError([
      { path: "unban", message: "unban is allowed only if the outcome is accepted" },
    ]);
  }
  const decided = await inCallersTransaction(context.sequelize, async (transaction) => {
    await lockAppealUsers({ ownerId: found.userId, caller }, transaction);
    // Creating a link takes this lock too. Ingest locks accounts before punishments; another order could deadlock.
    await lockAccounts("game account", transaction);
    const punishment = await lockPunishment(found.punishmentId, transaction);
    const appeal = await lockAppeal(found.id, transaction);
    await refuseParty({ appeal, punishment, caller }, transaction);
    requireOpenAppeal(appeal);
    requireBaseRevision(appeal.messagesCount + appeal.notesCount);
    await assignAppeal(appeal, { caller }, transaction);
    await appeal.update(
      {
        state: outcome,
        decidedAt: transactionStart(),
        decidedBy: caller.userId,
        decisionNote: decision.note,
        unbanStatus: unban ? "queued" : null,
      },
      { transaction },
    );
    const target = { type: "appeal", id: appeal.id };
    const detail = { outcome, unban };
    const line = { actor: caller, action: "appeal.decided", target, detail };
    await recordActivity(line, transaction);
    await notifyOwner(appeal, transaction, context);
    if (unban) await enqueueUnban(appeal, transaction, context);
    return findAppeal(appeal.id, context, transaction);
  });
  return unban ? awaitUnban(found.id, context) : decided;
}

/** The payload repeats all data of the appeal, because the appeal may be deleted with its owner's account first. */
async function enqueueUnban(
  appeal: Appeal,
  transaction: Transaction,
  { queue }: Context,
): Promise<void> {
  await appeal.reload({ transaction });
  const { id: appealId, account, decidedAt, decidedBy } = appeal;
  const order = { appealId, account, decidedBy, decidedAt: decidedAt?.toISOString() };
  await queue.enqueue("appeals.unban", order, {
    key: unbanIdempotencyKey(appealId),
    within: transaction,
  });
}

/**
 * The idempotency key of an unban, for the job and for the command to the shard, so that the unban runs only
 * once.
 */
export const unbanIdempotencyKey = (appealId: number): string => `appeal:${appealId}:unban`;

interface DecisionContext {
  readonly appeal: Appeal;
  readonly punishment: Punishment;
  readonly caller: Caller;
}

/** Refuses a caller who owns the punished account, and a non-admin who issued the punishment. */
async function refuseParty(
  { appeal, punishment, caller: { userId, role } }: DecisionContext,
  transaction: Transaction,
): Promise<void> {
  const isOwn =
    appeal.userId === userId ||
    (await hasLinkedAccount(userId, [accountKey(appeal.account)], transaction));
  if (!isOwn && (role === "admin" || punishment.issuedBy !== userId)) return;
  throw new AppError(
    "party_to_appeal",
    "You are a party to this appeal: another staff member must decide it",
  );
}

/** Returns true once the first attempt of the unban has an outcome. A failed attempt stores its reason. */
const isSettled = ({ unbanStatus, unbanReason }: Appeal): boolean =>
  unbanStatus !== "queued" || unbanReason !== null;

async function awaitUnban(id: number, context: ShardContext): Promise<Appeal> {
  const deadline = performance.now() + unbanWaitMs;
  for (;;) {
    const appeal = await findAppeal(id, context);
    if (isSettled(appeal) || performance.now() >= deadline) return appeal;
    await sleep(pollIntervalMs);
  }
}
