/** Letters that a job can send. `shared/auth/account/letters.ts` has the text of each. */
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

/** Letters with a link, which is made when they are sent; all others only tell. */
export type NoticeLetter = Exclude<LetterName, "reset" | "invite" | "accountDeleted">;

/** A letter that is to be sent, by ids: whoever reads the queue learns no link. */
export type MailOrder =
  | { readonly letter: "invite"; readonly inviteId: number }
  | { readonly letter: "reset"; readonly userId: number }
  | { readonly letter: "accountDeleted"; readonly userId: number; readonly email: string }
  | NoticeOrder;

export interface NoticeOrder {
  readonly letter: NoticeLetter;
  readonly userId: number;
  /** Where it goes when that is no longer the user's own address. */
  readonly email?: string | undefined;
}
