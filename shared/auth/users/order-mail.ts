import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import type { MailOrder, NoticeLetter } from "../../platform/queue/mail-orders.ts";

/** Has a letter sent once the transaction has committed; while mail is off nothing is ordered. */
export async function orderMail(
  order: MailOrder,
  transaction: Transaction,
  { mail, queue, config }: Context,
): Promise<void> {
  if (!mail.isOn) return;
  const retryDelaySeconds = Math.ceil(config.MAIL_RETRY / 1000);
  await queue.enqueue("auth.send-mail", order, { within: transaction, retryDelaySeconds });
}

/** Tells a user what was done to their account. */
export const tellUser = (
  userId: number,
  letter: NoticeLetter,
  transaction: Transaction,
  context: Context,
): Promise<void> => orderMail({ letter, userId }, transaction, context);
