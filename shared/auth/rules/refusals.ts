import type { ErrorCode } from "../../platform/errors/error-codes.ts";
import { AppError, type ErrorDetails } from "../../platform/errors/errors.ts";

/**
 * What a refused sign-in counts as, for limits and scores and never for the caller.
 * Nothing was guessed with `incomplete`, a correct password that waits for its second factor, and with
 * `overtaken`, a token that another request of the same client used a moment before.
 */
export type SignInFault =
  | "credentials"
  | "honeypot"
  | "factor"
  | "token"
  | "incomplete"
  | "overtaken";

/** A failed proof of identity, in words that tell nothing. */
export class SignInRefusal extends AppError {
  readonly fault: SignInFault;

  constructor(fault: SignInFault, code: ErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
    this.name = "SignInRefusal";
    this.fault = fault;
  }
}

/** One answer for every way a password sign-in can fail. */
export const wrongCredentials = (fault: SignInFault = "credentials"): SignInRefusal =>
  new SignInRefusal(fault, "invalid_credentials", "Invalid username or password");

/** One answer for a wrong, used or locked second factor and for a dead challenge. */
export const wrongCode = (): SignInRefusal =>
  new SignInRefusal("factor", "invalid_code", "Invalid code");

/** The same to somebody who is signed in: their session stands, so it is no 401. */
export const wrongOwnCode = (): SignInRefusal =>
  new SignInRefusal("factor", "wrong_code", "Invalid code");

export const wrongOwnPassword = (): SignInRefusal =>
  new SignInRefusal("credentials", "wrong_password", "Wrong password");

/** The app signs in by one request, so the refusal says that the second factor is missing. */
export const codeRequired = (): SignInRefusal =>
  new SignInRefusal("incomplete", "code_required", "Code required", {
    extra: { totpRequired: true },
  });

export const wrongRefreshToken = (): SignInRefusal =>
  new SignInRefusal("token", "invalid_refresh_token", "Invalid refresh token");

/** The device session lives: the client has the successor, and has used it already. */
export const overtakenRefreshToken = (): SignInRefusal =>
  new SignInRefusal("overtaken", "refresh_token_overtaken", "Invalid refresh token");

/** Whether a refusal tells that something was tried out, which limits and scores count. */
export const isGuess = (
  fault: SignInFault,
): fault is Exclude<SignInFault, "incomplete" | "overtaken"> =>
  fault !== "incomplete" && fault !== "overtaken";

/** A program filled the field that people do not see. */
export const trapped = (): SignInRefusal =>
  new SignInRefusal("honeypot", "invalid_request", "Invalid request");

/** One answer for links that are unknown, used, expired or withdrawn. */
export const deadLink = (fault: SignInFault = "token"): SignInRefusal =>
  new SignInRefusal(fault, "invalid_link", "Invalid or expired link");
