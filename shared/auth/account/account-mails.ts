import type { Config } from "../../platform/config/config.ts";
import { formatDurationInWords } from "../../platform/config/values.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { MailError } from "../../platform/net/mail.ts";
import type {
  MailPayload,
  NotificationMailPayload,
  MailName,
} from "../../platform/queue/mail-payloads.ts";
import { siteName } from "../../platform/site-name.ts";
import { findUser } from "../users/users.ts";
import { makeResetLink, deleteResetLink } from "./password-reset.ts";

/** A mail that the mail server refuses permanently, so a retry is useless. */
interface RefusedMail {
  readonly refusedBy: number;
}

/** Sends a queued mail unless its user was deleted. @throws {MailError} if a retry may succeed */
export async function sendQueuedMail(
  order: MailPayload,
  context: Context,
): Promise<RefusedMail | undefined> {
  if (!context.mail.isOn) return undefined;
  try {
    await sendLetter(order, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof MailError) || error.refusedBy === null) throw error;
    return { refusedBy: error.refusedBy };
  }
}

async function sendLetter(order: MailPayload, context: Context): Promise<void> {
  if (order.letter === "invite") await sendInvite(order.inviteId, context);
  else if (order.letter === "reset") await sendReset(order.userId, context);
  else if (order.letter === "accountDeleted") await sendAccountDeletedMail(order.email, context);
  else await sendNotice(order, context);
}

async function sendNotice(order: NotificationMailPayload, context: Context): Promise<void> {
  const { letter, userId, email } = order;
  const user = await findUser(userId, context);
  const to = email ?? user?.email;
  if (!user || !to) return;
  await context.mail.send({ to, ...writeLetter(letter, { username: user.username }) });
}

/** Mails the address in the job's payload, because the account is already deleted. */
const sendAccountDeletedMail = (email: string, { mail }: Context): Promise<void> =>
  mail.send({ to: email, ...writeLetter("accountDeleted", {}) });

/** Creates the link when the mail is sent: the link's lifetime starts then, and the queue stores no token. */
async function sendReset(userId: number, context: Context): Promise<void> {
  const made = await makeResetLink(userId, context);
  if (!made) return;
  const { link, token, username, email } = made;
  const life = formatDurationInWords(context.config.RESET_TTL);
  try {
    await context.mail.send({ to: email, ...writeLetter("reset", { username, link, life }) });
  } catch (error) {
    await deleteResetLink(token, context);
    throw error;
  }
}

/** Browsers do not send the part after `#`, so no server logs the token. */
export const buildInviteLink = (token: string, { PUBLIC_BASE_URL }: Config): string =>
  `${PUBLIC_BASE_URL}/invite#token=${token}`;

/** Mails a new link for the invitation. A retry makes another link and invalidates the previous one. */
async function sendInvite(inviteId: number, context: Context): Promise<void> {
  const { models, config, mail } = context;
  const token = generateToken();
  const invite = await models.Invite.replaceToken(inviteId, hashToken(token));
  if (!invite?.email) return;
  const facts = {
    link: buildInviteLink(token, config),
    life: formatDurationInWords(config.INVITE_TTL),
  };
  await mail.send({ to: invite.email, ...writeLetter("invite", facts) });
}

interface Recipient {
  readonly username: string;
}

interface LinkText {
  readonly link: string;
  /** Lifetime of the link as text: `1 hour`. */
  readonly life: string;
}

interface Letter<Facts> {
  readonly subject: string;
  readonly lines: (facts: Facts) => readonly string[];
}

const reportAdvice = "If it was not you, reset your password now and tell an administrator.";

const noticeLetter = (subject: string, what: string): Letter<Recipient> => ({
  subject,
  lines: ({ username }) => [`Hello ${username},`, what, reportAdvice],
});

/**
 * CATALOGUE of mails. Each mail tells what was done or can be done, and contains no other data of the account.
 */
const letters = {
  reset: {
    subject: "Reset your password",
    lines: ({ username, link, life }: Recipient & LinkText) => [
      `Hello ${username},`,
      "somebody asked for a new password for your account. To set one, open:",
      link,
      `The link works once, for ${life}. If it was not you, do nothing: your password does not change.`,
    ],
  },
  invite: {
    subject: "You are invited",
    lines: ({ link, life }: LinkText) => [
      "Hello,",
      `you are invited to join ${siteName}. To choose your name and password, open:`,
      link,
      `The link works once, for ${life}.`,
    ],
  },
  usernameChanged: noticeLetter(
    "Your user name was changed",
    "your user name was changed to this one.",
  ),
  passwordChanged: noticeLetter(
    "Your password was changed",
    "the password of your account was changed.",
  ),
  totpEnabled: noticeLetter(
    "Second factor switched on",
    "the second factor of your account is on now.",
  ),
  totpDisabled: noticeLetter(
    "Second factor switched off",
    "the second factor of your account was switched off.",
  ),
  recoveryCodeUsed: noticeLetter(
    "A recovery code was used",
    "one of your recovery codes was used in place of a code of your second factor.",
  ),
  recoveryCodesMade: noticeLetter(
    "New recovery codes",
    "new recovery codes were made for your account.",
  ),
  sessionStolen: noticeLetter(
    "A device was signed out",
    "a device of yours was signed out, because a copy of its key was used elsewhere.",
  ),
  identityLinked: noticeLetter(
    "A sign-in provider was linked",
    "an account at a sign-in provider was linked to your account and can now sign in to it.",
  ),
  emailChanged: noticeLetter(
    "Your e-mail address was changed",
    "the e-mail address of your account was changed from this address to another one.",
  ),
  accountDeleted: {
    subject: "Your account was deleted",
    lines: (_nothing: object) => [
      "Hello,",
      "your account was deleted, because somebody who was signed in to it requested this.",
      "It cannot be restored. If it was not you, tell an administrator.",
    ],
  },
} as const satisfies Readonly<Record<MailName, Letter<never>>>;

type LetterValues<Name extends MailName> = Parameters<(typeof letters)[Name]["lines"]>[0];

function writeLetter<Name extends MailName>(
  name: Name,
  facts: LetterValues<Name>,
): { readonly subject: string; readonly text: string } {
  const { subject, lines } = letters[name] as Letter<LetterValues<Name>>;
  return { subject, text: `${lines(facts).join("\n\n")}\n` };
}
