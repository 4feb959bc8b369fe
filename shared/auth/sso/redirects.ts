import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { ProviderFailure } from "../providers/provider-request.ts";
import type { Challenge } from "../second-factor/challenges.ts";
import { AuthorizedUser, basisOfCredential } from "../sessions/authorized-user.ts";
import type { SessionToken } from "../sessions/sessions.ts";
import { lockUser } from "../users/users.ts";
import {
  type AppRequest,
  appRequestOf,
  storeSsoStart,
  type SsoStart,
  purposeOf,
} from "./transactions.ts";

/** The redirect of a browser that returns from a provider, with its new session or challenge. */
export interface SsoRedirect {
  readonly location: string;
  readonly session?: SessionToken;
  readonly challenge?: Challenge;
}

/** The URL of a page of the site. */
export const siteUrl = (
  { PUBLIC_BASE_URL }: Config,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const text = new URLSearchParams(query).toString();
  return `${PUBLIC_BASE_URL}${path}${text === "" ? "" : `?${text}`}`;
};

/** The app's redirect URI with a query and the app's state. */
export const appUrl = (
  { redirectUri, state }: AppRequest,
  query: Readonly<Record<string, string>>,
): string => {
  const text = new URLSearchParams({ ...query, state }).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${text}`;
};

const longestPath = 2_048;

/** Returns the path if it is on this site, otherwise `/`: `//host` and `/\host` lead to another site. */
export const safeReturnPath = (returnTo: string | undefined): string =>
  returnTo !== undefined && returnTo.length <= longestPath && sitePath.test(returnTo)
    ? returnTo
    : "/";

const sitePath = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Records that the person declined at the provider, and returns the redirect. */
export async function recordDenialAndRedirect(
  ssoTransaction: SsoTransaction,
  { address }: SignInClient,
  { config, sequelize }: Context,
): Promise<SsoRedirect> {
  const detail = { provider: ssoTransaction.providerId, reason: "sso_denied" };
  const line = { actorId: ssoTransaction.userId, action: "auth.sso.refused", address, detail };
  await inCallersTransaction(sequelize, (transaction) => recordActivity(line, transaction));
  const app = appRequestOf(ssoTransaction);
  if (app) return { location: appUrl(app, { error: "access_denied" }) };
  const page = ssoTransaction.mode === "link" ? "/account" : "/login";
  return { location: siteUrl(config, page, { error: "sso_denied" }) };
}

/** Logs a provider's failure, because callers do not see the reason. */
export function logProviderFailure(provider: string, failure: unknown, { log }: Context): void {
  if (!(failure instanceof ProviderFailure)) return;
  const { reason, fault } = failure;
  log.warn({ provider, fault, reason }, "a sign-in at a provider failed");
}

interface FailedSignIn {
  /** Null for a sign-in that began on the site. */
  readonly app: AppRequest | null;
  readonly failure: unknown;
}

/**
 * Returns the redirect to the app after a failure. The app waits for its browser, so it needs an answer.
 * @throws the failure if the sign-in began on the site or the failure is unexpected
 */
export function buildFailureRedirect({ app, failure }: FailedSignIn): SsoRedirect {
  if (!app || !(failure instanceof AppError)) throw failure;
  const error = failure.kind === "missing" ? "access_denied" : "server_error";
  return { location: appUrl(app, { error }) };
}

/** CATALOGUE of provider errors that the person did not cause: a retry may succeed. */
const retryableErrors = ["temporarily_unavailable", "login_required"];

/** True if a sign-in that returned with an error may begin again. It is retried only once. */
export const canRetrySignIn = (ssoTransaction: SsoTransaction, error: string): boolean =>
  !ssoTransaction.isRetry && retryableErrors.includes(error);

interface Retry {
  readonly begun: SsoTransaction;
  /** The user who is now signed in to this browser. */
  readonly caller: Caller | null;
  readonly departure: Omit<SsoStart, "purpose"> & { readonly redirectTo: string };
}

/**
 * Sends the browser to the provider again, for the same purpose and with the same deadline. A linking is
 * retried only if its user is still signed in, so that it does not outlive the user's sessions.
 */
export function retrySignIn(
  { begun, caller, departure }: Retry,
  context: Context,
): Promise<SsoRedirect> {
  const { redirectTo: location, ...beginning } = departure;
  const { userId } = begun;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const user = userId === null ? null : await lockUser(userId, transaction);
    const isTheirs = user && caller?.userId === userId;
    const isAdmitted =
      isTheirs && (await AuthorizedUser.authorize(basisOfCredential(caller), user, context));
    if (userId !== null && !isAdmitted) {
      return { location: siteUrl(context.config, "/account", { error: "sso_wrong_session" }) };
    }
    const purpose = purposeOf(begun);
    await storeSsoStart({ ...beginning, purpose, former: begun }, context, transaction);
    return { location };
  });
}
