import type { IdTokenAlgorithm, TokenAuthMethod } from "../../../models/auth/auth-provider.ts";
import type { JsonFields } from "./provider-request.ts";

/** CATALOGUE of the methods by which the site's client authenticates at a token endpoint. */
export const tokenAuthMethods: readonly TokenAuthMethod[] = [
  "client_secret_basic",
  "client_secret_post",
];

/** CATALOGUE of signature algorithms that use a key which the provider publishes. */
const keyAlgorithms: readonly IdTokenAlgorithm[] = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** CATALOGUE of signature algorithms that use the client's secret as key. */
const secretAlgorithms: readonly IdTokenAlgorithm[] = ["HS256", "HS384", "HS512"];

export const idTokenAlgorithms = [...keyAlgorithms, ...secretAlgorithms];

/** True if the algorithm uses the client's secret as key. Only an administrator may choose it. */
export const isSecretAlgorithm = (algorithm: IdTokenAlgorithm | null): boolean =>
  algorithm !== null && secretAlgorithms.includes(algorithm);

/**
 * The accepted algorithms of ID tokens. Without a setting, algorithms with the client's secret are
 * excluded: otherwise an attacker could sign with the provider's public key as the secret.
 */
export const acceptedAlgorithms = (setting: IdTokenAlgorithm | null): readonly IdTokenAlgorithm[] =>
  setting === null ? keyAlgorithms : [setting];

/** The properties of the site's client that are compared with a provider's metadata. */
interface ClientSettings {
  readonly tokenAuthMethod: TokenAuthMethod | null;
  readonly idTokenAlgorithm: IdTokenAlgorithm | null;
  readonly hasSecret: boolean;
}

/** A list in the metadata (OpenID Connect Discovery 1.0 §3) that must contain one of these values. */
interface MetadataRequirement {
  readonly field: string;
  readonly oneOf: (registration: ClientSettings) => readonly string[];
}

/** CATALOGUE of requirements of every sign-in. If the metadata lacks a list, any value is possible. */
const metadataRequirements: readonly MetadataRequirement[] = [
  { field: "response_types_supported", oneOf: () => ["code"] },
  { field: "response_modes_supported", oneOf: () => ["query"] },
  { field: "grant_types_supported", oneOf: () => ["authorization_code"] },
  { field: "code_challenge_methods_supported", oneOf: () => ["S256"] },
  { field: "token_endpoint_auth_methods_supported", oneOf: requiredAuthMethods },
  {
    field: "id_token_signing_alg_values_supported",
    oneOf: ({ idTokenAlgorithm }) => acceptedAlgorithms(idTokenAlgorithm),
  },
];

/** CATALOGUE of demands of a provider that the site cannot meet. */
const unsupportedDemands = [
  "require_pushed_authorization_requests",
  "require_signed_request_object",
] as const;

/**
 * Returns the authentication methods of which a provider must list one. Without a secret none is required,
 * because providers often omit `none`.
 */
function requiredAuthMethods({ hasSecret, tokenAuthMethod }: ClientSettings): readonly string[] {
  if (!hasSecret) return [];
  return tokenAuthMethod === null ? tokenAuthMethods : [tokenAuthMethod];
}

/** @returns the reason in the metadata why no sign-in can succeed; null if there is none */
export function findRegistrationConflict(
  metadata: JsonFields,
  registration: ClientSettings,
): string | null {
  const demanded = unsupportedDemands.find((field) => metadata[field] === true);
  if (demanded !== undefined) {
    return `the provider requires ${demanded}, which the site does not support`;
  }
  for (const { field, oneOf } of metadataRequirements) {
    const [listed, needed] = [metadata[field], oneOf(registration)];
    const isOpen = !Array.isArray(listed) || needed.length === 0;
    if (isOpen || needed.some((name) => listed.includes(name))) continue;
    return `${field} of the metadata is ${namesIn(listed)}: the site needs ${needed.join(", ")}`;
  }
  return null;
}

/** Maximum number of names in a message; a provider may list any number. */
const nameLimit = 10;

const namesIn = (listed: readonly unknown[]): string => {
  const names = listed.filter((name) => typeof name === "string" && /^[\w. -]{1,64}$/.test(name));
  return names.length === 0 ? "empty" : names.slice(0, nameLimit).join(", ");
};
