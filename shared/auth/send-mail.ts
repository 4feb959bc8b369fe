import { formatDuration } from "../config/values.ts";
import type { Context } from "../context.ts";
import { sendInvite } from "./invite-mail.ts";
import { type MailOrder, writeLetter } from "./letters.ts";
import { makeResetLink, withdrawReset } from "./reset-links.ts";
import { findUser } from "./users.ts";

/** Sends an ordered letter, if there still is whom to send it to. @throws {MailFault} */
export async function sendOrderedMail(order: MailOrder, context: Context): Promise<void> {
  if (!context.mail.isOn) return;
  const { letter, userId = 0, inviteId = 0 } = order;
  if (letter === "invite") await sendInvite(inviteId, context);
  else if (letter === "reset") await sendReset(userId, context);
  else await sendNotice(order, userId, context);
}

async function sendNotice(order: MailOrder, userId: number, context: Context): Promise<void> {
  const user = await findUser(userId, context.sequelize);
  const to = order.email ?? user?.email;
  if (!user || !to) return;
  const facts = { username: user.username, link: "", life: "" };
  await context.mail.send({ to, ...writeLetter(order.letter, facts) });
}

/** The link is made now, so that its life does not pass in a queue, and none lies in one. */
async function sendReset(userId: number, context: Context): Promise<void> {
  const made = await makeResetLink(userId, context);
  if (!made) return;
  const { link, token, username, email } = made;
  const life = formatDuration(context.config.RESET_TTL);
  try {
    await context.mail.send({ to: email, ...writeLetter("reset", { username, link, life }) });
  } catch (error) {
    await withdrawReset(token, context);
    throw error;
  }
}
