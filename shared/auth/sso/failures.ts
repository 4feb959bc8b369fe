import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import type { Client } from "../../platform/access/client.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { ProviderFailure } from "../providers/provider-failure.ts";
import { appPage, type Landing, sitePage } from "./landings.ts";
import { type AppRequest, appRequestOf } from "./transactions.ts";

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
