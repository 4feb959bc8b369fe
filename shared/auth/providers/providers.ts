import type { Transaction } from "sequelize";

import type { AuthProvider, ProviderCheckStatus } from "../../../models/auth/auth-provider.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { acceptedAlgorithms, findRegistrationConflict } from "./client-registration.ts";
import { credentialsOf, openProviderClient, type ProviderClient } from "./provider-client.ts";
import {
  openRequestContext,
  type ProviderRequestContext,
  ProviderFailure,
} from "./provider-request.ts";
import { checkClientCredentials } from "./token-endpoint.ts";
import { hasUsableKey, readTokenKeys } from "./token-keys.ts";

/** Lower priorities first. The name and id make the order stable. */
const listOrder = ["priority", "name", "id"];

export const listProviders = ({ models }: Context): Promise<AuthProvider[]> =>
  models.AuthProvider.findAll({ order: listOrder });

/** Lists the providers offered for sign-in. */
export async function listOfferedProviders({ models, config }: Context): Promise<AuthProvider[]> {
  const enabled = await models.AuthProvider.scope("enabled").findAll({ order: listOrder });
  return enabled.filter((provider) => isProviderOffered(provider, config));
}

/** @throws AppError missing if no provider has this id */
export async function findProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.findByPk(id);
  if (!provider) throw notFoundError();
  return provider;
}

/** @throws AppError missing if the provider is unknown or disabled */
export async function findEnabledProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.scope("enabled").findByPk(id);
  if (!provider) throw notFoundError();
  return provider;
}

/**
 * True if a provider is still enabled. It may be disabled while a sign-in waits for its answer, so the
 * transaction that uses the answer checks again and locks the row until its end.
 */
export async function isStillEnabled(id: string, transaction: Transaction): Promise<boolean> {
  const { AuthProvider } = modelsOf(transaction);
  const lock = transaction.LOCK.SHARE;
  return (await AuthProvider.scope("enabled").findByPk(id, { transaction, lock })) !== null;
}

/** The health of a provider as administrators see it. */
interface ProviderHealth {
  readonly status: ProviderCheckStatus | "misconfigured" | "disabled";
  readonly checkedAt: Date | null;
  readonly detail: string | null;
}

/** Returns the health: a wrong configuration first, then the result of the last check. */
export function computeProviderHealth(provider: AuthProvider, config: Config): ProviderHealth {
  const { enabled, healthStatus, healthDetail, healthAt: checkedAt } = provider;
  if (!enabled) return { status: "disabled", checkedAt, detail: null };
  const detail = misconfigurationOf(provider, config);
  if (detail !== null) return { status: "misconfigured", checkedAt, detail };
  if (healthStatus === null) return { status: "unreachable", checkedAt, detail: "not checked yet" };
  return { status: healthStatus, checkedAt, detail: healthDetail };
}

/** True if the site offers the provider. A provider that is down is offered: it may recover. */
export const isProviderOffered = (provider: AuthProvider, config: Config): boolean =>
  provider.enabled && misconfigurationOf(provider, config) === null;

/** @returns how the configuration is wrong; null if it is complete */
function misconfigurationOf(provider: AuthProvider, config: Config): string | null {
  try {
    credentialsOf(provider, config);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.reason;
  }
}

/** Checks a provider as a sign-in would use it and stores the result. */
export async function checkProvider(provider: AuthProvider, context: Context): Promise<void> {
  if (!isProviderOffered(provider, context.config)) return;
  const { status, detail } = await runProviderCheck(provider, context);
  if (status !== provider.healthStatus) {
    context.log.info({ provider: provider.id, status, detail }, "sign-in provider checked");
  }
  await context.models.AuthProvider.storeHealth(provider, status, detail);
}

async function runProviderCheck(
  provider: AuthProvider,
  context: Context,
): Promise<{ readonly status: ProviderCheckStatus; readonly detail: string | null }> {
  const line = openRequestContext(context);
  try {
    const client = await openProviderClient(provider, line);
    await refuseUnsupported(provider, client, line);
    await checkClientCredentials(client, line);
    return { status: "ok", detail: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { fault, reason } = error;
    const isKnown = fault !== "misconfigured" && fault !== "untrusted";
    return { status: isKnown ? fault : "unreachable", detail: reason };
  }
}

/** @throws {ProviderFailure} if the metadata and keys exclude every sign-in */
async function refuseUnsupported(
  { kind, tokenAuthMethod, idTokenAlgorithm }: AuthProvider,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<void> {
  if (kind === "oauth2") return;
  const hasSecret = client.clientSecret !== null;
  const registration = { tokenAuthMethod, idTokenAlgorithm, hasSecret };
  const reason = findRegistrationConflict(client.endpoints.metadata ?? {}, registration);
  if (reason !== null) throw new ProviderFailure("unsupported", reason);
  const keys = await readTokenKeys(client, line);
  if (await hasUsableKey(keys, client)) return;
  const needed = acceptedAlgorithms(idTokenAlgorithm).join(", ");
  throw new ProviderFailure(
    "unsupported",
    `the provider has no key for one of the algorithms ${needed}`,
  );
}

/** Checks every enabled provider concurrently, so that one slow provider does not delay the others. */
export async function checkProviders(context: Context): Promise<{ readonly checked: number }> {
  const providers = await context.models.AuthProvider.scope("enabled").findAll();
  await Promise.all(providers.map((provider) => checkProvider(provider, context)));
  return { checked: providers.length };
}
