import type { Transaction } from "sequelize";

import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import { publishFacts } from "../facts/publish-facts.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import type { Context } from "../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../platform/db/transaction.ts";
import { unauthenticatedError } from "../platform/errors/errors.ts";
import type { ShardContext } from "../shard/context.ts";
import {
  findOwnAppeal,
  lockAppeal,
  requireOpenAppeal,
  lockAppealUsers,
  writerInclude,
} from "./find-appeal.ts";

interface OwnAppeal {
  readonly id: number;
  readonly userId: number;
}

/** A reply by an appeal's owner, or the withdrawal of the appeal. */
export type OwnerMessage = { readonly body: string } | { readonly withdraw: true };

interface SentMessage {
  readonly message: AppealMessage;
  /** The position of the message among those that the owner sees. */
  readonly number: number;
}

interface OwnerMessageResult {
  /** The stored message; null if the owner withdrew the appeal. */
  readonly said: SentMessage | null;
  readonly appeal: Appeal;
}

/** @throws AppError appeal_closed if the appeal was decided or withdrawn, rate_limited after too many messages */
export async function writeOwnerMessage(
  given: OwnerMessage,
  own: OwnAppeal,
  context: ShardContext,
): Promise<OwnerMessageResult> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    if (!(await lockAppealUsers({ ownerId: own.userId }, transaction))) {
      throw unauthenticatedError();
    }
    const appeal = await lockAppeal(own.id, transaction);
    requireOpenAppeal(appeal);
    const said =
      "withdraw" in given
        ? await withdraw(appeal, transaction)
        : await reply(given.body, appeal, transaction, context);
    return { said, appeal: await findOwnAppeal(own, context, transaction) };
  });
}

async function withdraw(appeal: Appeal, transaction: Transaction): Promise<null> {
  await appeal.update({ state: "withdrawn", updatedAt: transactionStart() }, { transaction });
  await record("appeal.withdrawn", appeal, transaction);
  return null;
}

async function reply(
  body: string,
  appeal: Appeal,
  transaction: Transaction,
  { rateLimits }: Context,
): Promise<SentMessage> {
  const { id: appealId, userId: authorId, messagesCount } = appeal;
  await rateLimits.countUseWithin("appealMessage", String(authorId), transaction);
  const message = await modelsOf(transaction).AppealMessage.create(
    { appealId, author: "player", authorId, body },
    { transaction },
  );
  const number = messagesCount + 1;
  const changes = { messagesCount: number, updatedAt: transactionStart() };
  await appeal.update(changes, { transaction });
  await record("appeal.replied", appeal, transaction);
  return { message, number };
}

const record = (action: string, { id, userId }: Appeal, transaction: Transaction): Promise<void> =>
  recordActivity({ actorId: userId, action, target: { type: "appeal", id } }, transaction);

export interface StaffMessage {
  /** Undefined if the writer only takes over the appeal, without a message. */
  readonly body?: string | undefined;
  /** True for a note that only staff see. */
  readonly internal?: boolean | undefined;
  /** True if the writer takes over the appeal from its assignee. */
  readonly assign?: boolean | undefined;
}

/**
 * Writes to the owner of an appeal, or adds a note. The first writer becomes the assignee.
 * @param found the appeal from the path of the request
 * @returns the message with its writer; null if `given` contains no message
 * @throws AppError appeal_closed if the appeal was decided or withdrawn; notes are still accepted then
 */
export function writeStaffMessage(
  given: StaffMessage,
  { found, caller }: { readonly found: Appeal; readonly caller: Caller },
  context: ShardContext,
): Promise<AppealMessage | null> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    await lockAppealUsers({ ownerId: found.userId, caller }, transaction);
    const appeal = await lockAppeal(found.id, transaction);
    const isNote = given.internal === true && given.assign !== true;
    if (!isNote) requireOpenAppeal(appeal);
    await assignAppeal(appeal, { caller, isForced: given.assign === true }, transaction);
    const message = await write(given, { appeal, caller, transaction });
    await recordActivity(activityOf(given, appeal, caller), transaction);
    if (given.internal !== true) await notifyOwner(appeal, transaction, context);
    return message;
  });
}

/** Assigns an open appeal to the caller if it has no assignee or the caller takes it over. */
export async function assignAppeal(
  appeal: Appeal,
  { caller, isForced = false }: { readonly caller: Caller; readonly isForced?: boolean },
  transaction: Transaction,
): Promise<void> {
  const isOpen = appeal.state === "open" || appeal.state === "assigned";
  if (!isOpen || (appeal.assigneeId !== null && !isForced)) return;
  await appeal.update({ assigneeId: caller.userId, state: "assigned" }, { transaction });
}

interface StaffWriteContext {
  readonly appeal: Appeal;
  readonly caller: Caller;
  readonly transaction: Transaction;
}

async function write(
  { body, internal = false }: StaffMessage,
  { appeal, caller, transaction }: StaffWriteContext,
): Promise<AppealMessage | null> {
  if (body === undefined) return null;
  const { messagesCount, notesCount } = appeal;
  const counted = internal
    ? { notesCount: notesCount + 1, notedAt: transactionStart() }
    : { messagesCount: messagesCount + 1 };
  await appeal.update(counted, { transaction });
  const message = await modelsOf(transaction).AppealMessage.create(
    { appealId: appeal.id, author: "staff", authorId: caller.userId, body, internal },
    { transaction },
  );
  return message.reload({ include: writerInclude, transaction });
}

const activityOf = ({ body, internal, assign }: StaffMessage, { id }: Appeal, caller: Caller) => ({
  actor: caller,
  action: internal === true || body === undefined ? "appeal.noted" : "appeal.replied",
  target: { type: "appeal", id },
  detail: assign ? { assigned: caller.userId } : {},
});

/** Sends the owner a push message about a change that staff made. */
export async function notifyOwner(
  appeal: Appeal,
  transaction: Transaction,
  context: Pick<Context, "queue" | "log">,
): Promise<void> {
  await appeal.update({ updatedAt: transactionStart() }, { transaction });
  const { id, userId, state, messagesCount } = appeal;
  const key = `appeal:${id}:${state}:${messagesCount}`;
  const announcements = [{ stream: "appeal.update", ref: String(id), key, userId } as const];
  await publishFacts({ announcements }, { within: transaction, context });
}
