import type { JSONWebKeySet, JWTPayload } from "jose";
import { createLocalJWKSet } from "jose/jwks/local";
import { jwtVerify } from "jose/jwt/verify";

import { type ProviderLine, readFromProvider } from "./ask-provider.ts";
import type { ProviderClient } from "./provider-client.ts";
import { untrusted } from "./provider-failure.ts";
import type { ProviderTokens } from "./token-endpoint.ts";

/** Who somebody is at a provider. An address of mail or a name there proves nothing here. */
export interface ProviderIdentity {
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
}

const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "EdDSA",
];

/** How far two clocks may differ. */
export const clockToleranceSeconds = 60;

/** What an ID token proves. */
export interface ProvenToken {
  readonly identity: ProviderIdentity;
  readonly claims: JWTPayload;
}

/** Ids of people are short; a longer one is no id. */
const longestSubject = 255;

/**
 * Proves an ID token by the provider's own keys, read anew so that a changed set needs no waiting,
 * and holds it against the provider's user endpoint, where there is one.
 * @throws {ProviderFailure}
 */
export async function proveIdToken(
  { accessToken, idToken }: ProviderTokens,
  nonce: string | null,
  client: ProviderClient,
  line: ProviderLine,
): Promise<ProvenToken> {
  if (typeof idToken !== "string") throw untrusted("the ID token is none");
  const { keysUrl, userUrl } = client.endpoints;
  const keys = await readFromProvider({ url: keysUrl ?? "" }, line);
  const claims = await verify(idToken, keys, client);
  const isOurs = nonce !== null && claims["nonce"] === nonce;
  if (!isOurs) throw untrusted("the ID token has another nonce");
  const subject = textOf(claims.sub);
  if (userUrl !== null) {
    const user = await readUser(userUrl, accessToken, line);
    if (user["sub"] !== subject) throw untrusted("the user endpoint names another subject");
  }
  return { identity: { ...identityAt(client), subject }, claims };
}

/** The identity of a provider without ID tokens: what its user endpoint calls the user. */
export async function readIdentity(
  { accessToken }: ProviderTokens,
  client: ProviderClient,
  line: ProviderLine,
): Promise<ProviderIdentity> {
  const { id } = await readUser(client.endpoints.userUrl ?? "", accessToken, line);
  return { ...identityAt(client), subject: textOf(id) };
}

const identityAt = ({ providerId, endpoints: { issuer } }: ProviderClient) => ({
  providerId,
  issuer,
});

const readUser = (url: string, accessToken: string, line: ProviderLine) =>
  readFromProvider({ url, headers: { authorization: `Bearer ${accessToken}` } }, line);

async function verify(
  idToken: string,
  keys: object,
  { clientId, endpoints: { issuer } }: ProviderClient,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys as JSONWebKeySet), {
      issuer,
      audience: clientId,
      algorithms,
      requiredClaims: ["sub", "iat", "exp", "nonce"],
      clockTolerance: clockToleranceSeconds,
    });
    checkParty(payload, clientId);
    return payload;
  } catch (error) {
    // Both the token and the keys are the provider's: whatever is wrong, is wrong with them.
    throw untrusted(`the ID token is not proven: ${(error as Error).message}`, error);
  }
}

/** A token for several clients names the one that it was issued to (OpenID Connect Core §3.1.3.7). */
function checkParty({ aud, azp }: JWTPayload, clientId: string): void {
  const isForOthers = Array.isArray(aud) && aud.length > 1;
  if ((isForOthers || azp !== undefined) && azp !== clientId) {
    throw new Error("it was issued to another client");
  }
}

/** @throws {ProviderFailure} unless it is an id that can be stored */
function textOf(id: unknown): string {
  const isText = typeof id === "string" && id !== "" && id.length <= longestSubject;
  if (!isText || !id.isWellFormed() || id.includes("\0")) throw untrusted("the subject is no id");
  return id;
}
