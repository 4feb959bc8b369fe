import type { Transaction } from "sequelize";

import type { AuthProvider, FoundHealth } from "../../../models/auth/auth-provider.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import { openLine, type ProviderLine, ProviderFailure } from "./ask-provider.ts";
import { acceptedAlgorithms, incompatibilityOf } from "./client-registration.ts";
import { credentialsOf, openClient, type ProviderClient } from "./provider-client.ts";
import { tryCredentials } from "./token-endpoint.ts";
import { holdsUsableKey, readTokenKeys } from "./token-keys.ts";

/** Lower priorities first; equal ones by name, so that the order stays. */
const inOrder = ["priority", "name", "id"];

export const listProviders = ({ models }: Context): Promise<AuthProvider[]> =>
  models.AuthProvider.findAll({ order: inOrder });

/** The providers that a sign-in may begin at. */
export async function listOfferedProviders({ models, config }: Context): Promise<AuthProvider[]> {
  const enabled = await models.AuthProvider.scope("enabled").findAll({ order: inOrder });
  return enabled.filter((provider) => isOffered(provider, config));
}

/** @throws AppError missing */
export async function findProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.findByPk(id);
  if (!provider) throw missing();
  return provider;
}

/** A provider that is switched on. @throws AppError missing for one that is not, as for none */
export async function findEnabledProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.scope("enabled").findByPk(id);
  if (!provider) throw missing();
  return provider;
}

/**
 * Whether a provider is still switched on. A provider takes seconds to answer and may be switched off
 * meanwhile, so the transaction that acts on the answer asks again, and holds the row until its end.
 */
export async function isStillEnabled(id: string, transaction: Transaction): Promise<boolean> {
  const { AuthProvider } = modelsOf(transaction);
  const lock = transaction.LOCK.SHARE;
  return (await AuthProvider.scope("enabled").findByPk(id, { transaction, lock })) !== null;
}

/** How a provider stands, as an administrator sees it. */
interface ProviderHealth {
  readonly status: FoundHealth | "misconfigured" | "disabled";
  readonly checkedAt: Date | null;
  readonly detail: string | null;
}

/** What the service finds wrong by itself comes first, then what the last check found. */
export function healthOf(provider: AuthProvider, config: Config): ProviderHealth {
  const { enabled, healthStatus, healthDetail, healthAt: checkedAt } = provider;
  if (!enabled) return { status: "disabled", checkedAt, detail: null };
  const detail = misconfigurationOf(provider, config);
  if (detail !== null) return { status: "misconfigured", checkedAt, detail };
  if (healthStatus === null) return { status: "unreachable", checkedAt, detail: "not checked yet" };
  return { status: healthStatus, checkedAt, detail: healthDetail };
}

/** Whether people may be offered the provider. One that is down may be back when they try. */
export const isOffered = (provider: AuthProvider, config: Config): boolean =>
  provider.enabled && misconfigurationOf(provider, config) === null;

/** @returns null when the service has what it needs */
function misconfigurationOf(provider: AuthProvider, config: Config): string | null {
  try {
    credentialsOf(provider, config);
    return null;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return error.reason;
  }
}

/** Asks a provider all that a sign-in will need, and stores what was found. */
export async function checkProvider(provider: AuthProvider, context: Context): Promise<void> {
  if (!isOffered(provider, context.config)) return;
  const { status, detail } = await examine(provider, context);
  if (status !== provider.healthStatus) {
    context.log.info({ provider: provider.id, status, detail }, "sign-in provider checked");
  }
  await context.models.AuthProvider.noteHealth(provider, status, detail);
}

async function examine(
  provider: AuthProvider,
  context: Context,
): Promise<{ readonly status: FoundHealth; readonly detail: string | null }> {
  const line = openLine(context);
  try {
    const client = await openClient(provider, line);
    await refuseUnsupported(provider, client, line);
    await tryCredentials(client, line);
    return { status: "ok", detail: null };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { fault, reason } = error;
    const isKnown = fault !== "misconfigured" && fault !== "untrusted";
    return { status: isKnown ? fault : "unreachable", detail: reason };
  }
}

/** @throws {ProviderFailure} when by metadata and keys no sign-in can succeed */
async function refuseUnsupported(
  { kind, tokenAuthMethod, idTokenAlgorithm }: AuthProvider,
  client: ProviderClient,
  line: ProviderLine,
): Promise<void> {
  if (kind === "oauth2") return;
  const hasSecret = client.clientSecret !== null;
  const registration = { tokenAuthMethod, idTokenAlgorithm, hasSecret };
  const reason = incompatibilityOf(client.endpoints.metadata ?? {}, registration);
  if (reason !== null) throw new ProviderFailure("unsupported", reason);
  const keys = await readTokenKeys(client, line);
  if (await holdsUsableKey(keys, client)) return;
  const needed = acceptedAlgorithms(idTokenAlgorithm).join(", ");
  throw new ProviderFailure("unsupported", `no key of the provider's is for one of ${needed}`);
}

/** Checks every enabled provider, all at once: one that hangs keeps no other waiting. */
export async function checkProviders(context: Context): Promise<{ readonly checked: number }> {
  const providers = await context.models.AuthProvider.scope("enabled").findAll();
  await Promise.all(providers.map((provider) => checkProvider(provider, context)));
  return { checked: providers.length };
}
