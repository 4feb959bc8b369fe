import type { LetterName } from "../../platform/queue/mail-orders.ts";
import { siteName } from "../../platform/site-name.ts";

interface Addressee {
  readonly username: string;
}

interface MailedLink {
  readonly link: string;
  /** How long the link lives, as a sentence has it: `1 hour`. */
  readonly life: string;
}

interface Letter<Facts> {
  readonly subject: string;
  readonly lines: (facts: Facts) => readonly string[];
}

const ifNotYou = "If it was not you, reset your password now and tell an administrator.";

const notice = (subject: string, what: string): Letter<Addressee> => ({
  subject,
  lines: ({ username }) => [`Hello ${username},`, what, ifNotYou],
});

/** CATALOGUE of letters. None tells more of an account than that something was done. */
const letters = {
  reset: {
    subject: "Reset your password",
    lines: ({ username, link, life }: Addressee & MailedLink) => [
      `Hello ${username},`,
      "somebody asked for a new password for your account. To set one, open:",
      link,
      `The link works once, for ${life}. If it was not you, do nothing: your password stays.`,
    ],
  },
  invite: {
    subject: "You are invited",
    lines: ({ link, life }: MailedLink) => [
      "Hello,",
      `you are invited to join ${siteName}. To choose your name and password, open:`,
      link,
      `The link works once, for ${life}.`,
    ],
  },
  usernameChanged: notice("Your user name was changed", "your user name was changed to this one."),
  passwordChanged: notice("Your password was changed", "the password of your account was changed."),
  totpEnabled: notice("Second factor switched on", "the second factor of your account is on now."),
  totpDisabled: notice(
    "Second factor switched off",
    "the second factor of your account was switched off.",
  ),
  recoveryCodeUsed: notice(
    "A recovery code was used",
    "one of your recovery codes was used to prove that it is you.",
  ),
  recoveryCodesMade: notice("New recovery codes", "new recovery codes were made for your account."),
  sessionStolen: notice(
    "A device was signed out",
    "a device of yours was signed out, because a copy of its key was used elsewhere.",
  ),
  identityLinked: notice(
    "A sign-in provider was linked",
    "an account at a sign-in provider was linked to your account: it signs in to it from now on.",
  ),
  emailChanged: notice(
    "Your e-mail address was changed",
    "your account has another e-mail address than this one from now on.",
  ),
  accountDeleted: {
    subject: "Your account was deleted",
    lines: (_nothing: object) => [
      "Hello,",
      "your account was deleted, as was asked for by somebody who was signed in to it.",
      "Nothing can bring it back. If it was not you, tell an administrator.",
    ],
  },
} as const satisfies Readonly<Record<LetterName, Letter<never>>>;

/** What a letter is made from: each asks for what stands in it. */
export type LetterFacts<Name extends LetterName> = Parameters<(typeof letters)[Name]["lines"]>[0];

export function writeLetter<Name extends LetterName>(
  name: Name,
  facts: LetterFacts<Name>,
): { readonly subject: string; readonly text: string } {
  const { subject, lines } = letters[name] as Letter<LetterFacts<Name>>;
  return { subject, text: `${lines(facts).join("\n\n")}\n` };
}
