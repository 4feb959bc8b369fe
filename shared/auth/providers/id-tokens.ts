import type { JWTPayload } from "jose";

import { parseObject } from "../../platform/bridge/json-text.ts";
import { acceptedAlgorithms, isSecretAlgorithm } from "./client-registration.ts";
import type { ProviderClient } from "./provider-client.ts";
import {
  requestText,
  type JsonFields,
  type ProviderRequestContext,
  type ProviderRequest,
  requestOkJson,
  shortenTimeout,
  ProviderFailure,
  untrustedAnswerError,
} from "./provider-request.ts";
import type { ProviderTokens } from "./token-endpoint.ts";
import { verifyProviderToken, readTokenKeys, type TokenKeys } from "./token-keys.ts";

/** A person's identity at a provider. The provider's email addresses and names do not identify a person. */
export interface ProviderIdentity {
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
}

/** The accepted difference between the provider's clock and ours. */
export const clockToleranceSeconds = 60;

/** The content of a verified ID token. */
export interface VerifiedToken {
  readonly identity: ProviderIdentity;
  readonly claims: JWTPayload;
}

/** Maximum length in characters. A longer subject is refused. */
const longestSubject = 255;

/**
 * Verifies an ID token with the provider's keys. The user endpoint, if it can be read, must return the same
 * subject; otherwise the ID token alone is sufficient.
 * @throws {ProviderFailure}
 */
export async function verifyIdToken(
  { accessToken, idToken }: ProviderTokens,
  nonce: string | null,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<VerifiedToken> {
  if (typeof idToken !== "string") throw untrustedAnswerError("the ID token is missing");
  const keys = await readTokenKeys(client, line);
  const claims = await verify(idToken, keys, client);
  const isOurs = nonce !== null && claims["nonce"] === nonce;
  if (!isOurs) throw untrustedAnswerError("the ID token has another nonce");
  const subject = readSubject(claims.sub);
  const user = await readClaims({ accessToken, keys, client }, line);
  if (user && user["sub"] !== subject) {
    throw untrustedAnswerError("the user endpoint returned another subject");
  }
  return { identity: { ...providerIdentity(client), subject }, claims };
}

/** Reads the identity from the user endpoint of a provider without ID tokens. */
export async function readIdentity(
  { accessToken }: ProviderTokens,
  client: ProviderClient,
  line: ProviderRequestContext,
): Promise<ProviderIdentity> {
  const question = userRequest(client.endpoints.userUrl ?? "", accessToken);
  const { id } = await requestOkJson(question, line);
  return { ...providerIdentity(client), subject: readSubject(id) };
}

const providerIdentity = ({ providerId, endpoints: { issuer } }: ProviderClient) => ({
  providerId,
  issuer,
});

const userRequest = (url: string, accessToken: string): ProviderRequest => ({
  url,
  headers: {
    accept: "application/json, application/jwt",
    authorization: `Bearer ${accessToken}`,
  },
});

interface UserInfoRequest {
  readonly accessToken: string;
  readonly keys: TokenKeys;
  readonly client: ProviderClient;
}

/** Milliseconds to wait for a user endpoint. Without its answer the sign-in continues. */
const userInfoTimeoutMs = 2_000;

/** Reads the user endpoint. @returns null if there is none or its answer cannot be read */
async function readClaims(
  asked: UserInfoRequest,
  line: ProviderRequestContext,
): Promise<JsonFields | null> {
  const { accessToken, client } = asked;
  const { userUrl } = client.endpoints;
  if (userUrl === null) return null;
  try {
    const question = userRequest(userUrl, accessToken);
    const { status, text } = await requestText(question, shortenTimeout(line, userInfoTimeoutMs));
    if (status !== 200) throw untrustedAnswerError(`the user endpoint answered ${status}`);
    const claims = jwtPattern.test(text) ? await claimsOf(text, asked) : parseObject(text);
    if (!claims) throw untrustedAnswerError("the user endpoint returned no claims");
    return claims;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { reason } = error;
    line.log.info(
      { provider: client.providerId, reason },
      "the user endpoint of a sign-in provider cannot be read",
    );
    return null;
  }
}

/** A signed token (RFC 7515 §3.1); an encrypted one has five parts. */
const jwtPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** @throws {ProviderFailure} unless the provider signed the claims for this client */
async function claimsOf(text: string, { keys, client }: UserInfoRequest): Promise<JsonFields> {
  const { clientId, endpoints, idTokenAlgorithm } = client;
  // The setting `idTokenAlgorithm` applies to answers of the user endpoint only if that algorithm uses the
  // client's secret as key.
  const isSecret = isSecretAlgorithm(idTokenAlgorithm);
  const algorithms = [...acceptedAlgorithms(isSecret ? idTokenAlgorithm : null)];
  try {
    const {
      iss = endpoints.issuer,
      aud = clientId,
      ...claims
    } = await verifyProviderToken(text, keys, {
      algorithms,
      clockTolerance: clockToleranceSeconds,
    });
    if (iss !== endpoints.issuer || ![aud].flat().includes(clientId)) {
      throw new Error("they were issued for another client");
    }
    return claims;
  } catch (error) {
    throw untrustedAnswerError(`the claims cannot be verified: ${(error as Error).message}`, error);
  }
}

async function verify(
  idToken: string,
  keys: TokenKeys,
  { clientId, endpoints: { issuer }, idTokenAlgorithm }: ProviderClient,
): Promise<JWTPayload> {
  try {
    const payload = await verifyProviderToken(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: [...acceptedAlgorithms(idTokenAlgorithm)],
      requiredClaims: ["sub", "iat", "exp", "nonce"],
      clockTolerance: clockToleranceSeconds,
    });
    checkParty(payload, clientId);
    return payload;
  } catch (error) {
    // The provider supplies both the token and the keys, so every failure is the provider's.
    throw untrustedAnswerError(
      `the ID token cannot be verified: ${(error as Error).message}`,
      error,
    );
  }
}

/** Checks that `azp` names this client in a token for several clients (OpenID Connect Core §3.1.3.7). */
function checkParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  if ((isForOthers || azp !== undefined) && azp !== clientId) {
    throw new Error("it was issued to another client");
  }
}

/** @throws {ProviderFailure} unless the id can be stored */
function readSubject(id: unknown): string {
  const isText = typeof id === "string" && id !== "" && id.length <= longestSubject;
  if (!isText || !id.isWellFormed() || id.includes("\0")) {
    throw untrustedAnswerError("the subject is not a valid id");
  }
  return id;
}
