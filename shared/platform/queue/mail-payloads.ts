/** Mails that a job can send. `shared/auth/account/account-mails.ts` contains their texts. */
export const letterNames = [
  "reset",
  "invite",
  "usernameChanged",
  "passwordChanged",
  "totpEnabled",
  "totpDisabled",
  "recoveryCodeUsed",
  "recoveryCodesMade",
  "sessionStolen",
  "identityLinked",
  "emailChanged",
  "accountDeleted",
] as const;
export type LetterName = (typeof letterNames)[number];

/** Mails without a link. Links are created when the mail is sent. */
export type NoticeLetter = Exclude<LetterName, "reset" | "invite" | "accountDeleted">;

/** The payload of a mail job. It contains only ids, so that readers of the queue get no link. */
export type MailPayload =
  | { readonly letter: "invite"; readonly inviteId: number }
  | { readonly letter: "reset"; readonly userId: number }
  | { readonly letter: "accountDeleted"; readonly userId: number; readonly email: string }
  | NoticePayload;

export interface NoticePayload {
  readonly letter: NoticeLetter;
  readonly userId: number;
  /** The recipient, if it is no longer the user's own address. */
  readonly email?: string | undefined;
}
