import type { Transaction } from "sequelize";

import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import { tell } from "../facts/tell.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import type { Context } from "../platform/context.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import { unauthenticated } from "../platform/errors/errors.ts";
import type { ShardContext } from "../shard/context.ts";
import { findOwnAppeal, lockAppeal, requireOpen, holdParties, withWriter } from "./find-appeal.ts";

interface OwnAppeal {
  readonly id: number;
  readonly userId: number;
}

/** What the owner of an appeal says, or that they take the appeal back. */
export type OwnerMessage = { readonly body: string } | { readonly withdraw: true };

interface Said {
  readonly message: AppealMessage;
  /** Of the messages that the owner sees. */
  readonly number: number;
}

interface SaidByOwner {
  /** Null when the appeal was withdrawn. */
  readonly said: Said | null;
  readonly appeal: Appeal;
}

/** @throws AppError conflict when the appeal was decided or withdrawn, limited after too many messages */
export async function writeAsOwner(
  given: OwnerMessage,
  own: OwnAppeal,
  context: ShardContext,
): Promise<SaidByOwner> {
  return inTransaction(context.sequelize, async (transaction) => {
    if (!(await holdParties({ ownerId: own.userId }, transaction))) throw unauthenticated();
    const appeal = await lockAppeal(own.id, transaction);
    requireOpen(appeal);
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
): Promise<Said> {
  const { id: appealId, userId: authorId, messagesCount } = appeal;
  await rateLimits.spendWithin("appealMessage", String(authorId), transaction);
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
  /** Absent when the appeal is only taken over. */
  readonly body?: string | undefined;
  /** A note that staff alone read. */
  readonly internal?: boolean | undefined;
  /** Whether the writer takes the appeal over, whoever had it. */
  readonly assign?: boolean | undefined;
}

/**
 * Writes to the owner of an appeal, or a note about it. The first to write takes the appeal on.
 * @param found the appeal as its path named it
 * @returns the message with who wrote it; null when nothing was said
 * @throws AppError conflict when the appeal was decided or withdrawn; notes may follow even then
 */
export function writeAsStaff(
  given: StaffMessage,
  { found, caller }: { readonly found: Appeal; readonly caller: Caller },
  context: ShardContext,
): Promise<AppealMessage | null> {
  return inTransaction(context.sequelize, async (transaction) => {
    await holdParties({ ownerId: found.userId, caller }, transaction);
    const appeal = await lockAppeal(found.id, transaction);
    const isNote = given.internal === true && given.assign !== true;
    if (!isNote) requireOpen(appeal);
    await takeOn(appeal, { caller, isForced: given.assign === true }, transaction);
    const message = await write(given, { appeal, caller, transaction });
    await recordActivity(lineOf(given, appeal, caller), transaction);
    if (given.internal !== true) await tellOwner(appeal, transaction, context);
    return message;
  });
}

/** Makes somebody the one who looks after an open appeal that nobody has, or who takes it over. */
export async function takeOn(
  appeal: Appeal,
  { caller, isForced = false }: { readonly caller: Caller; readonly isForced?: boolean },
  transaction: Transaction,
): Promise<void> {
  const isOpen = appeal.state === "open" || appeal.state === "assigned";
  if (!isOpen || (appeal.assigneeId !== null && !isForced)) return;
  await appeal.update({ assigneeId: caller.userId, state: "assigned" }, { transaction });
}

interface Writing {
  readonly appeal: Appeal;
  readonly caller: Caller;
  readonly transaction: Transaction;
}

async function write(
  { body, internal = false }: StaffMessage,
  { appeal, caller, transaction }: Writing,
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
  return message.reload({ include: withWriter, transaction });
}

const lineOf = ({ body, internal, assign }: StaffMessage, { id }: Appeal, caller: Caller) => ({
  actor: caller,
  action: internal === true || body === undefined ? "appeal.noted" : "appeal.replied",
  target: { type: "appeal", id },
  detail: assign ? { assigned: caller.userId } : {},
});

/** Staff did something about an appeal that its owner sees, and is told by a push message. */
export async function tellOwner(
  appeal: Appeal,
  transaction: Transaction,
  context: Pick<Context, "queue" | "log">,
): Promise<void> {
  await appeal.update({ updatedAt: transactionStart() }, { transaction });
  const { id, userId, state, messagesCount } = appeal;
  const key = `appeal:${id}:${state}:${messagesCount}`;
  const announcements = [{ stream: "appeal.update", ref: String(id), key, userId } as const];
  await tell({ announcements }, { within: transaction, context });
}
