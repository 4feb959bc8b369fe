import { siteName } from "../site/site-name.ts";

/** What a letter is made from. A link is in it only where the letter is about one. */
export interface LetterFacts {
  readonly username: string;
  readonly link: string;
  /** How long the link lives: `1h`. */
  readonly life: string;
}

interface Letter {
  readonly subject: string;
  readonly lines: (facts: LetterFacts) => readonly string[];
}

const ifNotYou = "If it was not you, reset your password now and tell an administrator.";

const notice = (subject: string, what: string): Letter => ({
  subject,
  lines: ({ username }) => [`Hello ${username},`, what, ifNotYou],
});

/** CATALOGUE of letters. None tells more of an account than that something was done. */
const letters = {
  reset: {
    subject: "Reset your password",
    lines: ({ username, link, life }) => [
      `Hello ${username},`,
      "somebody asked for a new password for your account. To set one, open:",
      link,
      `The link works once, for ${life}. If it was not you, do nothing: your password stays.`,
    ],
  },
  invite: {
    subject: "You are invited",
    lines: ({ link, life }) => [
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
  emailChanged: notice(
    "Your e-mail address was changed",
    "an administrator gave your account another e-mail address than this one.",
  ),
} as const satisfies Readonly<Record<string, Letter>>;

export type LetterName = keyof typeof letters;
export const letterNames = Object.keys(letters) as LetterName[];

/** Letters with a link, which is made when they are sent; all others only tell. */
export type NoticeLetter = Exclude<LetterName, "reset" | "invite">;

/** A letter that is to be sent, by ids: whoever reads the queue learns no link. */
export interface MailOrder {
  readonly letter: LetterName;
  /** Whom it is for; an invitation is for nobody yet. */
  readonly userId?: number | undefined;
  readonly inviteId?: number | undefined;
  /** Where it goes when that is no longer the user's own address. */
  readonly email?: string | undefined;
}

export function writeLetter(
  name: LetterName,
  facts: LetterFacts,
): { readonly subject: string; readonly text: string } {
  const { subject, lines } = letters[name];
  return { subject, text: `${lines(facts).join("\n\n")}\n` };
}
