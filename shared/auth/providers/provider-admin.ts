import { type InferAttributes, type Transaction } from "sequelize";

import type {
  AuthProvider,
  IdTokenAlgorithm,
  TokenAuthMethod,
} from "../../../models/auth/auth-provider.ts";
import { insertRowOnce } from "../../../models/queries/insert-once.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { checkOutboundUrl, OutboundError } from "../../platform/net/outbound.ts";
import { sealProviderSecret } from "./provider-client.ts";
import { outboundRules } from "./provider-request.ts";
import { checkProvider, findProvider } from "./providers.ts";

/** An administrator's change of a provider. Absent fields keep their values. */
export interface ProviderChange {
  readonly name?: string;
  readonly icon?: string | null;
  readonly priority?: number;
  readonly enabled?: boolean;
  readonly issuer?: string;
  readonly clientId?: string;
  /** An empty text keeps the stored secret; null removes it. */
  readonly clientSecret?: string | null;
  readonly scopes?: readonly string[];
  /** Null: use the provider's metadata. */
  readonly tokenAuthMethod?: TokenAuthMethod | null;
  /** Null: accept the algorithm of each key that the provider publishes. */
  readonly idTokenAlgorithm?: IdTokenAlgorithm | null;
}

export interface NewProvider extends ProviderChange {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
}

/** Adds an OpenID Connect provider and checks it. @throws AppError conflict if its id is taken */
export async function createProvider(
  { clientSecret, ...given }: NewProvider,
  actor: Caller,
  context: Context,
): Promise<AuthProvider> {
  const { config } = context;
  refuseIssuer(given.issuer, config);
  const { id, scopes = [], enabled = true, ...fields } = given;
  const clientSecretSealed = clientSecret ? sealProviderSecret(id, clientSecret, config) : null;
  const row = {
    icon: null,
    tokenAuthMethod: null,
    idTokenAlgorithm: null,
    ...fields,
    id,
    kind: "oidc" as const,
    enabled,
    clientSecretSealed,
    scopes: [...scopes],
    healthStatus: null,
    healthDetail: null,
    healthAt: null,
  };
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await insertProvider(row, transaction);
    await recordProviderAction("provider.created", { id, actor, detail: given }, transaction);
  });
  return checkAndReload(id, context);
}

/** Changes a provider and checks it again. @throws AppError for an invalid field */
export async function changeProvider(
  id: string,
  { clientSecret, scopes, ...fields }: ProviderChange,
  actor: Caller,
  context: Context,
): Promise<AuthProvider> {
  const { config, sequelize } = context;
  await inCallersTransaction(sequelize, async (transaction) => {
    const provider = await lockProvider(id, transaction);
    if (provider.builtin && fields.issuer !== undefined) throw fixedIssuerError();
    if (provider.kind === "oauth2" && fields.idTokenAlgorithm) throw noIdTokenError();
    if (fields.issuer !== undefined) refuseIssuer(fields.issuer, config);
    const sealed = sealedSecretChange(id, clientSecret, config);
    const changes = { ...fields, ...sealed, ...(scopes && { scopes: [...scopes] }) };
    requireSecretForIssuer(provider, changes);
    refuseIncomplete({ ...provider.get(), ...changes });
    await modelsOf(transaction).AuthProvider.change(id, changes, transaction);
    const secretChanged = sealed.clientSecretSealed !== undefined;
    const detail = { ...fields, ...(scopes && { scopes }), secretChanged };
    await recordProviderAction("provider.updated", { id, actor, detail }, transaction);
  });
  return checkAndReload(id, context);
}

/** Deletes a provider. Its identities stay, and are valid again if the provider is added again. */
export function deleteProvider(id: string, actor: Caller, context: Context): Promise<void> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const provider = await lockProvider(id, transaction);
    if (provider.builtin) {
      throw new AppError("provider_built_in", "A built-in provider can only be disabled");
    }
    await provider.destroy({ transaction });
    await recordProviderAction("provider.deleted", { id, actor }, transaction);
  });
}

async function checkAndReload(id: string, context: Context): Promise<AuthProvider> {
  await checkProvider(await findProvider(id, context), context);
  return findProvider(id, context);
}

async function insertProvider(row: NewRow, transaction: Transaction): Promise<void> {
  if (await insertRowOnce(modelsOf(transaction).AuthProvider, row, transaction)) return;
  throw new AppError("provider_exists", "A provider with this id already exists");
}

type Attributes = InferAttributes<AuthProvider>;
type NewRow = Omit<Attributes, "builtin" | "priority"> & Partial<Pick<Attributes, "priority">>;

async function lockProvider(id: string, transaction: Transaction): Promise<AuthProvider> {
  const lock = transaction.LOCK.UPDATE;
  const provider = await modelsOf(transaction).AuthProvider.findByPk(id, { transaction, lock });
  if (!provider) throw notFoundError();
  return provider;
}

/** @returns the column to change; an empty object if the stored secret stays */
function sealedSecretChange(
  id: string,
  secret: string | null | undefined,
  config: Config,
): { clientSecretSealed?: string | null } {
  if (secret === undefined || secret === "") return {};
  return { clientSecretSealed: secret === null ? null : sealProviderSecret(id, secret, config) };
}

function refuseIncomplete({ enabled, clientId }: Pick<Attributes, "enabled" | "clientId">): void {
  if (!enabled || clientId !== null) return;
  throw invalidFieldsError([
    { path: "clientId", message: "clientId is required while the provider is enabled" },
  ]);
}

/** The issuer determines where the secret is sent, so a new issuer needs a new secret. */
function requireSecretForIssuer(
  stored: Pick<Attributes, "issuer" | "clientSecretSealed">,
  { issuer, clientSecretSealed }: Partial<Attributes>,
): void {
  const isKept = clientSecretSealed === undefined && stored.clientSecretSealed !== null;
  if (!isKept || !issuer || isSameIssuer(issuer, stored.issuer ?? "")) return;
  throw invalidFieldsError([
    { path: "clientSecret", message: "clientSecret is required when the issuer changes" },
  ]);
}

const isSameIssuer = (one: string, other: string): boolean => stripSlash(one) === stripSlash(other);

/** Discovery uses the same address with and without a trailing slash. */
const stripSlash = (issuer: string): string =>
  (URL.parse(issuer)?.href ?? issuer).replace(/\/$/, "");

const fixedIssuerError = () =>
  invalidFieldsError([
    { path: "issuer", message: "issuer of a built-in provider cannot be changed" },
  ]);

const noIdTokenError = () =>
  invalidFieldsError([
    { path: "idTokenAlgorithm", message: "idTokenAlgorithm is only for providers with ID tokens" },
  ]);

function refuseIssuer(issuer: string, config: Config): void {
  try {
    checkOutboundUrl(issuer, outboundRules(config));
    const { search, hash } = new URL(issuer);
    if (search !== "" || hash !== "") {
      throw new OutboundError("the address contains a query or a fragment");
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw invalidFieldsError([{ path: "issuer", message: `issuer is refused: ${error.message}` }]);
  }
}

interface ProviderAction {
  readonly id: string;
  readonly actor: Caller;
  /** Details without the client's secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

const recordProviderAction = (
  action: string,
  { id, actor, detail }: ProviderAction,
  transaction: Transaction,
): Promise<void> =>
  recordActivity({ actor, action, target: { type: "provider", id }, detail }, transaction);
