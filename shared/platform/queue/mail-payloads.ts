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
export type MailName = (typeof letterNames)[number];

/** Mails that only notify an existing user. The other mails need a link or an address. */
export type NotificationMailName = Exclude<MailName, "reset" | "invite" | "accountDeleted">;

/** The payload of a mail job. It contains only ids, so that a reader of the queue gets no link. */
export type MailPayload =
  | { readonly letter: "invite"; readonly inviteId: number }
  | { readonly letter: "reset"; readonly userId: number }
  | { readonly letter: "accountDeleted"; readonly userId: number; readonly email: string }
  | NotificationMailPayload;

export interface NotificationMailPayload {
  readonly letter: NotificationMailName;
  readonly userId: number;
  /** The recipient, if it is not the user's present address. */
  readonly email?: string | undefined;
}
