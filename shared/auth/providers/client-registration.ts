import type { IdTokenAlgorithm, TokenAuthMethod } from "../../../models/auth/auth-provider.ts";
import type { Fields } from "./ask-provider.ts";

/** CATALOGUE of the ways in which the site's client may prove itself at a token endpoint. */
export const tokenAuthMethods: readonly TokenAuthMethod[] = [
  "client_secret_basic",
  "client_secret_post",
];

/** CATALOGUE of algorithms by which a provider signs with a key that it publishes. */
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

/** CATALOGUE of algorithms by which a provider signs with the client's own secret. */
const secretAlgorithms: readonly IdTokenAlgorithm[] = ["HS256", "HS384", "HS512"];

export const idTokenAlgorithms = [...keyAlgorithms, ...secretAlgorithms];

/** Whether the client's secret is the key, which only an administrator's setting may say. */
export const isSecretAlgorithm = (algorithm: IdTokenAlgorithm | null): boolean =>
  algorithm !== null && secretAlgorithms.includes(algorithm);

/**
 * The algorithms that an ID token may be signed by. Without a setting those with the client's secret are
 * not among them: a provider's public key must never be taken for a secret.
 */
export const acceptedAlgorithms = (setting: IdTokenAlgorithm | null): readonly IdTokenAlgorithm[] =>
  setting === null ? keyAlgorithms : [setting];

/** What the site's client is registered as, as far as the metadata of a provider bears on it. */
interface Registration {
  readonly tokenAuthMethod: TokenAuthMethod | null;
  readonly idTokenAlgorithm: IdTokenAlgorithm | null;
  readonly hasSecret: boolean;
}

/** A list of the metadata (OpenID Connect Discovery 1.0 §3) and what a sign-in needs one of. */
interface Need {
  readonly field: string;
  readonly oneOf: (registration: Registration) => readonly string[];
}

/** CATALOGUE of what every sign-in needs; a list that a provider leaves out rules nothing out. */
const needs: readonly Need[] = [
  { field: "response_types_supported", oneOf: () => ["code"] },
  { field: "response_modes_supported", oneOf: () => ["query"] },
  { field: "grant_types_supported", oneOf: () => ["authorization_code"] },
  { field: "code_challenge_methods_supported", oneOf: () => ["S256"] },
  { field: "token_endpoint_auth_methods_supported", oneOf: neededMethods },
  {
    field: "id_token_signing_alg_values_supported",
    oneOf: ({ idTokenAlgorithm }) => acceptedAlgorithms(idTokenAlgorithm),
  },
];

/** CATALOGUE of what a provider may demand and no sign-in of the site does. */
const demands = ["require_pushed_authorization_requests", "require_signed_request_object"] as const;

/** Providers that take public clients often do not list `none`. */
function neededMethods({ hasSecret, tokenAuthMethod }: Registration): readonly string[] {
  if (!hasSecret) return [];
  return tokenAuthMethod === null ? tokenAuthMethods : [tokenAuthMethod];
}

/** @returns why no sign-in can succeed, by the provider's own metadata; null where nothing speaks against it */
export function incompatibilityOf(metadata: Fields, registration: Registration): string | null {
  const demanded = demands.find((field) => metadata[field] === true);
  if (demanded !== undefined) return `the provider demands ${demanded}, which the site does not do`;
  for (const { field, oneOf } of needs) {
    const [listed, needed] = [metadata[field], oneOf(registration)];
    const isOpen = !Array.isArray(listed) || needed.length === 0;
    if (isOpen || needed.some((name) => listed.includes(name))) continue;
    return `${field} of the metadata is ${namesIn(listed)}: the site needs ${needed.join(", ")}`;
  }
  return null;
}

/** Lists of providers are of no length that one could count on. */
const mostNames = 10;

const namesIn = (listed: readonly unknown[]): string => {
  const names = listed.filter((name) => typeof name === "string" && /^[\w. -]{1,64}$/.test(name));
  return names.length === 0 ? "empty" : names.slice(0, mostNames).join(", ");
};
