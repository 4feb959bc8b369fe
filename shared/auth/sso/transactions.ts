import { createHash } from "node:crypto";

import type { Transaction } from "sequelize";

import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { AppError } from "../../platform/errors/errors.ts";

/** The parameters that the app sent when its sign-in began. */
export interface AppRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
}

/** The purpose of sending a browser to a provider. */
export type SsoPurpose =
  | { readonly mode: "login"; readonly returnTo: string }
  | { readonly mode: "link"; readonly userId: number }
  | { readonly mode: "mobile"; readonly app: AppRequest };

export interface SsoStart {
  readonly providerId: string;
  /** The id of the browser session that begins the sign-in. No other browser can complete it. */
  readonly browserId: string;
  readonly purpose: SsoPurpose;
  readonly secrets: SignInSecrets;
  /** The sign-in that is retried. The retry keeps the deadline of this first sign-in. */
  readonly former?: SsoTransaction;
}

/** Stores the start of a sign-in or linking at a provider. */
export async function storeSsoStart(
  { providerId, browserId, purpose, secrets, former }: SsoStart,
  { config, models }: Context,
  transaction?: Transaction,
): Promise<void> {
  const { state, nonce, codeVerifier } = secrets;
  const app = purpose.mode === "mobile" ? purpose.app : null;
  const row = {
    stateHash: hashToken(state),
    browserHash: hashToken(browserId),
    providerId,
    mode: purpose.mode,
    userId: purpose.mode === "link" ? purpose.userId : null,
    nonce,
    codeVerifier,
    ...(purpose.mode === "login" && { returnTo: purpose.returnTo }),
    appRedirectUri: app?.redirectUri ?? null,
    appState: app?.state ?? null,
    appChallenge: app?.codeChallenge ?? null,
    ...deadlineOf(former, config),
    consumedAt: null,
  };
  await models.SsoTransaction.create(row, { ...(transaction && { transaction }) });
}

const deadlineOf = (replaced: SsoTransaction | undefined, { SSO_TTL }: Config) =>
  replaced
    ? { isRetry: true, expiresAt: replaced.expiresAt }
    : { isRetry: false, expiresAt: clockNowPlus(SSO_TTL) };

/** The parameters with which the provider returns the browser. */
export interface SsoCallback {
  readonly providerId: string;
  readonly browserId: string;
  readonly state: string;
}

/** Deletes the transaction in any case. @throws AppError invalid if it ended or is another browser's */
export async function consumeSsoTransaction(
  { providerId, browserId, state }: SsoCallback,
  { models }: Context,
): Promise<SsoTransaction> {
  const consumed = await models.SsoTransaction.consumeOnce({
    providerId,
    browserHash: hashToken(browserId),
    stateHash: hashToken(state),
  });
  if (!consumed) throw ssoEndedError();
  return consumed;
}

export const ssoEndedError = (): AppError =>
  new AppError("sso_ended", "This sign-in has ended: start again");

export function purposeOf(begun: SsoTransaction): SsoPurpose {
  const { userId, returnTo } = begun;
  const app = appRequestOf(begun);
  if (app) return { mode: "mobile", app };
  return userId === null ? { mode: "login", returnTo } : { mode: "link", userId };
}

/** @returns the app's request; null for a sign-in on the site */
export function appRequestOf({
  appRedirectUri: redirectUri,
  appState: state,
  appChallenge: codeChallenge,
}: SsoTransaction): AppRequest | null {
  if (redirectUri === null || state === null || codeChallenge === null) return null;
  return { redirectUri, state, codeChallenge };
}

/** The random values of one sign-in at a provider. Each is used once. */
export interface SignInSecrets {
  /** Returned with the callback. */
  readonly state: string;
  /** Returned in the ID token; null if the provider issues no ID tokens. */
  readonly nonce: string | null;
  /** Sent to the provider together with the code (PKCE). */
  readonly codeVerifier: string;
}

export const newSignInSecrets = (hasIdToken: boolean): SignInSecrets => ({
  state: generateToken(),
  nonce: hasIdToken ? generateToken() : null,
  codeVerifier: generateToken(),
});

/** The hash of the verifier, sent to the provider at the start (RFC 7636, S256). */
export const codeChallengeOf = (codeVerifier: string): string =>
  createHash("sha256").update(codeVerifier).digest("base64url");
