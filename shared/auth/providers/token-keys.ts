import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import {
  JOSEAlgNotAllowed,
  JWKSMultipleMatchingKeys,
  JWSSignatureVerificationFailed,
} from "jose/errors";
import { createLocalJWKSet } from "jose/jwks/local";
import { jwtVerify } from "jose/jwt/verify";

import { acceptedAlgorithms, isSecretAlgorithm } from "./client-registration.ts";
import type { ProviderClient } from "./provider-client.ts";
import { type ProviderRequestContext, requestOkJson, ProviderFailure } from "./provider-request.ts";

/** The keys that verify a provider's tokens: published keys, or the client's secret. */
export type TokenKeys = JWTVerifyGetKey | Uint8Array;

/** Reads the keys each time, so that a changed key set is used at once. @throws {ProviderFailure} */
export async function readTokenKeys(
  { endpoints: { keysUrl }, idTokenAlgorithm, clientSecret }: ProviderClient,
  line: ProviderRequestContext,
): Promise<TokenKeys> {
  if (isSecretAlgorithm(idTokenAlgorithm)) return new TextEncoder().encode(clientSecret ?? "");
  if (keysUrl === null) {
    throw new ProviderFailure("unreachable", "the metadata contains no jwks_uri");
  }
  const keys = await requestOkJson({ url: keysUrl }, line);
  try {
    return createLocalJWKSet(keys as unknown as JSONWebKeySet);
  } catch (error) {
    throw new ProviderFailure("untrusted", "the key set is malformed", error);
  }
}

/** Verifies a token. If it names no key, each matching key is tried. @throws the errors of jose */
export async function verifyProviderToken(
  token: string,
  keys: TokenKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  if (keys instanceof Uint8Array) return (await jwtVerify(token, keys, options)).payload;
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw nameAlgorithm(error, token);
    return verifyWithEachKey(token, error, options);
  }
}

async function verifyWithEachKey(
  token: string,
  candidates: JWKSMultipleMatchingKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new JWSSignatureVerificationFailed();
}

/** Names the refused algorithm in the error, so that an administrator can choose that algorithm. */
function nameAlgorithm(error: unknown, token: string): unknown {
  if (!(error instanceof JOSEAlgNotAllowed)) return error;
  const { alg = "" } = decodeProtectedHeader(token);
  const name = /^\w{1,16}$/.test(alg) ? alg : "an algorithm without a valid name";
  return new Error(`it is signed by ${name}, which is not accepted here`, { cause: error });
}

/** True if the key set holds a key for one of the accepted algorithms. */
export async function hasUsableKey(
  keys: TokenKeys,
  { idTokenAlgorithm }: Pick<ProviderClient, "idTokenAlgorithm">,
): Promise<boolean> {
  if (keys instanceof Uint8Array) return true;
  for (const alg of acceptedAlgorithms(idTokenAlgorithm)) {
    if (await hasKeyFor(alg, keys)) return true;
  }
  return false;
}

async function hasKeyFor(alg: string, keys: JWTVerifyGetKey): Promise<boolean> {
  try {
    return hasMinKeyLength(await keys({ alg }, { payload: "", signature: "" }));
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) return false;
    for await (const key of error) if (hasMinKeyLength(key)) return true;
    return false;
  }
}

/** Minimum bits of an RSA key (RFC 7518 §3.3); an invalid key counts as 0 bits. */
const minRsaBits = 2_048;

function hasMinKeyLength(key: object): boolean {
  if (!(key instanceof CryptoKey) || !("modulusLength" in key.algorithm)) return true;
  return Number(key.algorithm.modulusLength) >= minRsaBits;
}
