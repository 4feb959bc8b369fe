import type { Config } from "../../platform/config/config.ts";
import { durationInWords } from "../../platform/config/values.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { writeLetter } from "../letters/letters.ts";

/** The link somebody is invited by. Behind the `#` the token reaches no server's log. */
export const inviteLink = (token: string, { PUBLIC_BASE_URL }: Config): string =>
  `${PUBLIC_BASE_URL}/invite#token=${token}`;

/**
 * Makes the link of an invitation and mails it. Sent again after a failure it is another link, and
 * the one before opens nothing.
 */
export async function sendInvite(inviteId: number, context: Context): Promise<void> {
  const { models, config, mail } = context;
  const token = newToken();
  const invite = await models.Invite.replaceToken(inviteId, hashToken(token));
  if (!invite?.email) return;
  const facts = { link: inviteLink(token, config), life: durationInWords(config.INVITE_TTL) };
  await mail.send({ to: invite.email, ...writeLetter("invite", facts) });
}
