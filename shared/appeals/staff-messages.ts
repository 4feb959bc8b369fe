import type { Transaction } from "sequelize";

import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import { transactionStart } from "../../models/queries/clock.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import type { ShardContext } from "../shard/context.ts";
import { lockAppeal, requireOpen, withWriter } from "./find-appeal.ts";
import { holdParties } from "./hold-parties.ts";
import { tellOwner } from "./tell-owner.ts";

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
