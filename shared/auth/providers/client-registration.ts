import type { IdTokenAlgorithm, TokenAuthMethod } from "../../../models/auth/auth-provider.ts";

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
