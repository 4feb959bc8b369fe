import type {
  AuthProvider,
  IdTokenAlgorithm,
  TokenAuthMethod,
} from "../../../models/auth/auth-provider.ts";
import type { Config } from "../../platform/config/config.ts";
import { sealText, unsealText, UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { isSecretAlgorithm } from "./client-registration.ts";
import { type Endpoints, readEndpoints } from "./endpoints.ts";
import { type ProviderRequestContext, ProviderFailure } from "./provider-request.ts";

/** The data with which the service acts as a client of a provider. */
export interface ProviderClient {
  readonly providerId: string;
  readonly endpoints: Endpoints;
  readonly clientId: string;
  /** Null for a public client, which authenticates by PKCE alone. */
  readonly clientSecret: string | null;
  /** Client authentication methods. The second is tried if the provider refuses the first. */
  readonly authMethods: readonly TokenAuthMethod[];
  /** The only accepted algorithm of ID tokens; null to accept the algorithm of any published key. */
  readonly idTokenAlgorithm: IdTokenAlgorithm | null;
  /** The path is unique per provider, so that one provider cannot answer for another. */
  readonly callbackUrl: string;
  readonly scopes: readonly string[];
}

/** The encryption context of the provider's client secret. */
export const providerSealContext = (providerId: string): string =>
  `auth_providers|client_secret|${providerId}`;

export const sealProviderSecret = (id: string, secret: string, { SECRETS_KEYS }: Config): string =>
  sealText(secret, providerSealContext(id), SECRETS_KEYS);

export const callbackUrlOf = (
  providerId: string,
  { PUBLIC_BASE_URL }: Pick<Config, "PUBLIC_BASE_URL">,
): string => `${PUBLIC_BASE_URL}/api/v1/auth/sso/${providerId}/callback`;

type Credentials = Pick<ProviderClient, "clientId" | "clientSecret">;

/** @throws {ProviderFailure} if a setting is missing or the secret cannot be read */
export function credentialsOf(
  {
    id,
    clientId,
    clientSecretSealed,
    idTokenAlgorithm,
  }: Pick<AuthProvider, "id" | "clientId" | "clientSecretSealed" | "idTokenAlgorithm">,
  { SECRETS_KEYS }: Config,
): Credentials {
  if (clientId === null) throw new ProviderFailure("misconfigured", "the client id is missing");
  if (clientSecretSealed === null) {
    if (!isSecretAlgorithm(idTokenAlgorithm)) return { clientId, clientSecret: null };
    throw new ProviderFailure("misconfigured", `${idTokenAlgorithm} needs the client's secret`);
  }
  try {
    const clientSecret = unsealText(clientSecretSealed, providerSealContext(id), SECRETS_KEYS);
    return { clientId, clientSecret };
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error;
    const reason = "the stored secret cannot be read: save it again";
    throw new ProviderFailure("misconfigured", reason, error);
  }
}

/** @throws {ProviderFailure} if a setting is missing or the metadata cannot be read */
export async function openProviderClient(
  provider: AuthProvider,
  line: ProviderRequestContext,
): Promise<ProviderClient> {
  const credentials = credentialsOf(provider, line.config);
  const endpoints = await readEndpoints(provider, line);
  const { tokenAuthMethod, idTokenAlgorithm } = provider;
  return {
    providerId: provider.id,
    authMethods: tokenAuthMethod === null ? endpoints.authMethods : [tokenAuthMethod],
    idTokenAlgorithm,
    ...credentials,
    callbackUrl: callbackUrlOf(provider.id, line.config),
    scopes: [...new Set([...endpoints.scopes, ...provider.scopes])],
    endpoints,
  };
}
