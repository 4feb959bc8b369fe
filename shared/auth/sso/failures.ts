import type { SsoTransaction } from "../../../models/auth/sso-transaction.ts";
import { recordActivity } from "../../activity/activity.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import type { Client } from "../caller/client.ts";
import { ProviderFailure } from "../providers/provider-failure.ts";
import { appPage, type Landing, sitePage } from "./landings.ts";
import { appRequestOf } from "./transactions.ts";

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

/**
 * Where the app lands when the provider failed or was switched off. It must be told, because it waits
 * for its browser to come back.
 * @throws the failure, where a page of the site began
 */
export function landFailed(begun: SsoTransaction, failure: unknown, { log }: Context): Landing {
  const hasFailed = failure instanceof ProviderFailure;
  if (hasFailed) {
    const { reason, fault } = failure;
    log.warn({ provider: begun.providerId, fault, reason }, "a sign-in at a provider failed");
  }
  const app = appRequestOf(begun);
  const isOff = failure instanceof AppError && failure.kind === "missing";
  if (!app || !(hasFailed || isOff)) throw failure;
  return { location: appPage(app, { error: hasFailed ? "server_error" : "access_denied" }) };
}
