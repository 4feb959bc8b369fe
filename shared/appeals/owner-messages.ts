import type { Transaction } from "sequelize";

import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import type { Context } from "../platform/context.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import { unauthenticated } from "../platform/errors/errors.ts";
import type { ShardContext } from "../shard/context.ts";
import { findOwnAppeal, lockAppeal, requireOpen } from "./find-appeal.ts";
import { holdParties } from "./hold-parties.ts";

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

export interface SaidByOwner {
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
