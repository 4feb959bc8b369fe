import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import type { MailPayload, NotificationMailName } from "../../platform/queue/mail-payloads.ts";

/** Queues a mail that is sent after the transaction commits; does nothing if mail is off. */
export async function enqueueMail(
  order: MailPayload,
  transaction: Transaction,
  { mail, queue, config }: Context,
): Promise<void> {
  if (!mail.isOn) return;
  const retryDelaySeconds = Math.ceil(config.MAIL_RETRY / 1000);
  await queue.enqueue("auth.send-mail", order, { within: transaction, retryDelaySeconds });
}

/** Mails a user a notice about the account. */
export const enqueueNoticeMail = (
  userId: number,
  letter: NotificationMailName,
  transaction: Transaction,
  context: Context,
): Promise<void> => enqueueMail({ letter, userId }, transaction, context);
