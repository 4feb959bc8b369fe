import type { ErrorCode } from "../../platform/errors/error-codes.ts";
import { AppError, type ErrorDetails } from "../../platform/errors/errors.ts";

/**
 * The reason of a refused sign-in, for limits and scores only; the caller never sees it. Two reasons do not count
 * as a guess: `incomplete` (correct password, second factor missing) and `overtaken` (a refresh token that the
 * same client has just used).
 */
export type RefusalReason =
  | "credentials"
  | "honeypot"
  | "factor"
  | "token"
  | "incomplete"
  | "overtaken";

/** A failed proof of identity. Its message does not reveal the reason. */
export class SignInRefusal extends AppError {
  readonly fault: RefusalReason;

  constructor(fault: RefusalReason, code: ErrorCode, message: string, details?: ErrorDetails) {
    super(code, message, details);
    this.name = "SignInRefusal";
    this.fault = fault;
  }
}

/** One answer for all failures of a password sign-in. */
export const wrongCredentialsError = (fault: RefusalReason = "credentials"): SignInRefusal =>
  new SignInRefusal(fault, "invalid_credentials", "Invalid username or password");

/** One answer for a wrong, used or locked second factor and a dead challenge. */
export const wrongCodeError = (): SignInRefusal =>
  new SignInRefusal("factor", "invalid_code", "Invalid code");

/** The answer to a wrong code of a signed-in caller. The session stays valid, so it is not a 401. */
export const wrongOwnCodeError = (): SignInRefusal =>
  new SignInRefusal("factor", "wrong_code", "Invalid code");

export const wrongOwnPasswordError = (): SignInRefusal =>
  new SignInRefusal("credentials", "wrong_password", "Wrong password");

/**
 * Tells an app that the second factor is missing. The app then signs in again, with password and code in one
 * request.
 */
export const codeRequiredError = (): SignInRefusal =>
  new SignInRefusal("incomplete", "code_required", "Code required", {
    extra: { totpRequired: true },
  });

export const wrongRefreshTokenError = (): SignInRefusal =>
  new SignInRefusal("token", "invalid_refresh_token", "Invalid refresh token");

/** A refresh token whose successor the client already used. The device session stays valid. */
export const overtakenRefreshTokenError = (): SignInRefusal =>
  new SignInRefusal("overtaken", "refresh_token_overtaken", "Invalid refresh token");

/** True if the refusal counts as a guess for limits and scores. */
export const isCountedAsGuess = (
  fault: RefusalReason,
): fault is Exclude<RefusalReason, "incomplete" | "overtaken"> =>
  fault !== "incomplete" && fault !== "overtaken";

/** A program filled the honeypot field. */
export const honeypotError = (): SignInRefusal =>
  new SignInRefusal("honeypot", "invalid_request", "Invalid request");

/** One answer for unknown, used, expired and withdrawn links. */
export const invalidLinkError = (fault: RefusalReason = "token"): SignInRefusal =>
  new SignInRefusal(fault, "invalid_link", "Invalid or expired link");
