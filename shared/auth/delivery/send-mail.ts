import { durationInWords } from "../../platform/config/values.ts";
import type { Context } from "../../platform/context.ts";
import { MailFault } from "../../platform/net/mail.ts";
import type { MailOrder, NoticeOrder } from "../../platform/queue/mail-orders.ts";
import { writeLetter } from "../letters/letters.ts";
import { makeResetLink, withdrawReset } from "../passwords/reset-links.ts";
import { findUser } from "../users/users.ts";
import { sendInvite } from "./invite-mail.ts";

/** What became of a letter that the server refuses for good: asking again changes nothing. */
interface Refused {
  readonly refusedBy: number;
}

/**
 * Sends an ordered letter, if there is still somebody to send it to.
 * @throws {MailFault} where the server may take it later
 */
export async function sendOrderedMail(
  order: MailOrder,
  context: Context,
): Promise<Refused | undefined> {
  if (!context.mail.isOn) return undefined;
  try {
    await sendLetter(order, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof MailFault) || error.refusedBy === null) throw error;
    return { refusedBy: error.refusedBy };
  }
}

async function sendLetter(order: MailOrder, context: Context): Promise<void> {
  if (order.letter === "invite") await sendInvite(order.inviteId, context);
  else if (order.letter === "reset") await sendReset(order.userId, context);
  else if (order.letter === "accountDeleted") await sendFarewell(order.email, context);
  else await sendNotice(order, context);
}

async function sendNotice(order: NoticeOrder, context: Context): Promise<void> {
  const { letter, userId, email } = order;
  const user = await findUser(userId, context);
  const to = email ?? user?.email;
  if (!user || !to) return;
  await context.mail.send({ to, ...writeLetter(letter, { username: user.username }) });
}

/** The account is gone by now, so the order says where the letter goes. */
const sendFarewell = (email: string, { mail }: Context): Promise<void> =>
  mail.send({ to: email, ...writeLetter("accountDeleted", {}) });

/** The link is made now, so that its life does not pass in a queue, and none lies in one. */
async function sendReset(userId: number, context: Context): Promise<void> {
  const made = await makeResetLink(userId, context);
  if (!made) return;
  const { link, token, username, email } = made;
  const life = durationInWords(context.config.RESET_TTL);
  try {
    await context.mail.send({ to: email, ...writeLetter("reset", { username, link, life }) });
  } catch (error) {
    await withdrawReset(token, context);
    throw error;
  }
}
