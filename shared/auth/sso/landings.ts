import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import type { Caller, Client } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { ProviderFailure } from "../providers/ask-provider.ts";
import type { Challenge } from "../second-factor/challenges.ts";
import { Admission, groundsOf } from "../sessions/admission.ts";
import type { SessionToken } from "../sessions/sessions.ts";
import { lockUser } from "../users/users.ts";
import { type AppRequest, appRequestOf, begin, type Beginning, purposeOf } from "./transactions.ts";

/** Where a browser that came back from a provider is sent, and what it is given. */
export interface Landing {
  readonly location: string;
  readonly session?: SessionToken;
  readonly challenge?: Challenge;
}

/** A page of the site; nothing but a path of it leads there. */
export const sitePage = (
  { PUBLIC_BASE_URL }: Config,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const text = new URLSearchParams(query).toString();
  return `${PUBLIC_BASE_URL}${path}${text === "" ? "" : `?${text}`}`;
};

/** The app's own address, with what it asked to be told. */
export const appPage = (
  { redirectUri, state }: AppRequest,
  query: Readonly<Record<string, string>>,
): string => {
  const text = new URLSearchParams({ ...query, state }).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${text}`;
};

const longestPath = 2_048;

/** A path of this site and nothing else: `//host` and `/\host` would lead away. */
export const safeReturn = (returnTo: string | undefined): string =>
  returnTo !== undefined && returnTo.length <= longestPath && sitePath.test(returnTo)
    ? returnTo
    : "/";

const sitePath = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Where somebody lands who declined at the provider. */
export async function landDenied(
  begun: SsoTransaction,
  { address }: Client,
  { config, sequelize }: Context,
): Promise<Landing> {
  const detail = { provider: begun.providerId, reason: "sso_denied" };
  const line = { actorId: begun.userId, action: "auth.sso.refused", address, detail };
  await inTransaction(sequelize, (transaction) => recordActivity(line, transaction));
  const app = appRequestOf(begun);
  if (app) return { location: appPage(app, { error: "access_denied" }) };
  const page = begun.mode === "link" ? "/account" : "/login";
  return { location: sitePage(config, page, { error: "sso_denied" }) };
}

/** Logs what a provider failed with: callers are not told. */
export function logFailure(provider: string, failure: unknown, { log }: Context): void {
  if (!(failure instanceof ProviderFailure)) return;
  const { reason, fault } = failure;
  log.warn({ provider, fault, reason }, "a sign-in at a provider failed");
}

interface FailedSignIn {
  /** Null where a page of the site began. */
  readonly app: AppRequest | null;
  readonly failure: unknown;
}

/**
 * Where the app lands when the provider failed, came back as another or was switched off. It must be
 * told, because it waits for its browser to come back.
 * @throws the failure, where a page of the site began, and one that nobody foresaw
 */
export function landFailed({ app, failure }: FailedSignIn): Landing {
  if (!app || !(failure instanceof AppError)) throw failure;
  const error = failure.kind === "missing" ? "access_denied" : "server_error";
  return { location: appPage(app, { error }) };
}

/** CATALOGUE of errors of providers that say nothing of the person: a second try may succeed. */
const passingErrors = ["temporarily_unavailable", "login_required"];

/** Whether a sign-in that came back with an error is begun again, which happens once. */
export const mayBeginAgain = (begun: SsoTransaction, error: string): boolean =>
  !begun.isRetry && passingErrors.includes(error);

interface Retry {
  readonly begun: SsoTransaction;
  /** Who is signed in in this browser now. */
  readonly caller: Caller | null;
  readonly departure: Omit<Beginning, "purpose"> & { readonly redirectTo: string };
}

/**
 * Sends the browser to the provider again, for the same purpose and within the same time. A link is
 * begun again for the user alone who is still signed in: it must not outlive the end of their sessions.
 */
export function beginAgain(
  { begun, caller, departure }: Retry,
  context: Context,
): Promise<Landing> {
  const { redirectTo: location, ...beginning } = departure;
  const { userId } = begun;
  return inTransaction(context.sequelize, async (transaction) => {
    const user = userId === null ? null : await lockUser(userId, transaction);
    const isTheirs = user && caller?.userId === userId;
    const isAdmitted = isTheirs && (await Admission.grant(groundsOf(caller), user, context));
    if (userId !== null && !isAdmitted) {
      return { location: sitePage(context.config, "/account", { error: "sso_wrong_session" }) };
    }
    const purpose = purposeOf(begun);
    await begin({ ...beginning, purpose, former: begun }, context, transaction);
    return { location };
  });
}
