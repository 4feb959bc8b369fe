import { formatDuration } from "../config/values.ts";
import type { Context } from "../context.ts";
import { sendInvite } from "./invite-mail.ts";
import { type MailOrder, writeLetter } from "./letters.ts";
import { makeResetLink, withdrawReset } from "./reset-links.ts";
import { findUser, type UserRow } from "./users.ts";

/** Sends an ordered letter, if there still is whom to send it to. @throws {MailFault} */
export async function sendOrderedMail(order: MailOrder, context: Context): Promise<void> {
  if (!context.mail.isOn) return;
  if (order.letter === "invite") {
    await sendInvite(order.inviteId ?? 0, context);
    return;
  }
  const user = await findUser(order.userId ?? 0, context.sequelize);
  const email = order.email ?? user?.email;
  if (!user || !email) return;
  if (order.letter === "reset") await sendReset(user, email, context);
  else await sendNotice(order, user, email, context);
}

function sendNotice(order: MailOrder, user: UserRow, email: string, { mail }: Context) {
  const facts = { username: user.username, link: "", life: "" };
  return mail.send({ to: email, ...writeLetter(order.letter, facts) });
}

/** The link is made now, so that its life does not pass in a queue, and none lies in one. */
async function sendReset(user: UserRow, email: string, context: Context): Promise<void> {
  if (user.disabledAt) return;
  const { link, token } = await makeResetLink(user.id, context);
  const life = formatDuration(context.config.RESET_TTL);
  const letter = writeLetter("reset", { username: user.username, link, life });
  try {
    await context.mail.send({ to: email, ...letter });
  } catch (error) {
    await withdrawReset(token, context);
    throw error;
  }
}
