import { AppError, type ErrorDetails, type ErrorKind } from "../errors.ts";

/**
 * What a refused sign-in counts as, for limits and scores and never for the caller.
 * `incomplete` is a correct password that waits for its second factor: nothing was guessed.
 */
export type SignInFault = "credentials" | "honeypot" | "factor" | "token" | "incomplete";

/** A failed proof of identity, in words that tell nothing. */
export class SignInRefusal extends AppError {
  readonly fault: SignInFault;

  constructor(
    fault: SignInFault,
    message: string,
    { kind = "unauthenticated", ...details }: ErrorDetails & { kind?: ErrorKind } = {},
  ) {
    super(kind, message, details);
    this.name = "SignInRefusal";
    this.fault = fault;
  }
}

/** One answer for every way a password sign-in can fail. */
export const wrongCredentials = (fault: SignInFault = "credentials"): SignInRefusal =>
  new SignInRefusal(fault, "Invalid username or password");

/** One answer for a wrong, used or locked second factor and for a dead challenge. */
export const wrongCode = (): SignInRefusal => new SignInRefusal("factor", "Invalid code");

/** The same to somebody who is signed in: their session stands, so it is no 401. */
export const wrongOwnCode = (): SignInRefusal =>
  new SignInRefusal("factor", "Invalid code", { kind: "forbidden" });

export const wrongOwnPassword = (): SignInRefusal =>
  new SignInRefusal("credentials", "Wrong password", { kind: "forbidden" });

/** A single request cannot be asked back: it is told that the second factor is missing. */
export const codeRequired = (): SignInRefusal =>
  new SignInRefusal("incomplete", "Code required", { extra: { totpRequired: true } });

export const wrongRefreshToken = (): SignInRefusal =>
  new SignInRefusal("token", "Invalid refresh token");

/** A program filled the field that people do not see. */
export const trapped = (): SignInRefusal =>
  new SignInRefusal("honeypot", "Invalid request", { kind: "invalid" });
