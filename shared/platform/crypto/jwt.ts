import { hash, hkdfSync, webcrypto } from "node:crypto";

import Joi from "joi";
// Import parts of jose, because the whole library loads four times as many files.
import { JOSEError, JWSSignatureVerificationFailed } from "jose/errors";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";

import type { Config } from "../config/config.ts";

type JwtKeys = Config["JWT_KEYS"];

/** CATALOGUE of signed tokens. Type, audience and key differ, so one kind cannot pass for another. */
const kinds = {
  session: { typ: "session+jwt", audience: "web" },
  access: { typ: "at+jwt", audience: "mobile" },
  challenge: { typ: "challenge+jwt", audience: "totp" },
  ssoChallenge: { typ: "challenge+jwt", audience: "sso-totp" },
} as const satisfies Readonly<Record<TokenKind, object>>;

/** Signs a token with the first key. */
export async function signToken(
  kind: TokenKind,
  claims: TokenClaims,
  keys: JwtKeys,
): Promise<string> {
  const [keyId] = keys.keys();
  if (keyId === undefined) throw new Error("JWT_KEYS holds no key");
  const { typ, audience } = kinds[kind];
  return new SignJWT({ gen: claims.generation, ...claims.extra })
    .setProtectedHeader({ alg: "HS256", typ, kid: keyId })
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setJti(claims.tokenId)
    .setIssuedAt(claims.issuedAt)
    .setExpirationTime(claims.expiresAt)
    .sign(await keyFor(kind, keyId, keys));
}

/**
 * Reads a token even if it has expired: the statement that checks for revocation also compares the expiry
 * with the database's clock.
 * @returns null unless the signature is valid and the token is of this kind
 */
export async function readToken(
  kind: TokenKind,
  token: string,
  keys: JwtKeys,
): Promise<TokenClaims | null> {
  const cache = claimsCacheOf(keys);
  const name = hash("sha256", `${kind} ${token}`, "base64");
  const hit = cache.get(name);
  if (hit) return hit;
  const claims = await verifyToken(kind, token, keys);
  if (!claims) return null;
  if (cache.size >= cacheLimit) cache.clear();
  cache.set(name, claims);
  return claims;
}

const cacheLimit = 5_000;

// Caches verified tokens, because every request checks one. A revoked token may stay here: the database is asked
// for revocations.
const provenByKeys = new WeakMap<JwtKeys, Map<string, TokenClaims>>();

function claimsCacheOf(keys: JwtKeys): Map<string, TokenClaims> {
  const cache = provenByKeys.get(keys) ?? new Map<string, TokenClaims>();
  provenByKeys.set(keys, cache);
  return cache;
}

async function verifyToken(
  kind: TokenKind,
  token: string,
  keys: JwtKeys,
): Promise<TokenClaims | null> {
  const { typ, audience } = kinds[kind];
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyFor(kind, kid, keys), {
      typ,
      audience,
      algorithms: ["HS256"],
      // A time before any expiry, so that expired tokens are read too.
      currentDate: new Date(0),
    });
    return claimsOf(kind, payload);
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}

const derivedKeys = new WeakMap<JwtKeys, Map<string, Promise<webcrypto.CryptoKey>>>();

/** Derives one key per type of token, so that security does not depend on the check of `typ` alone. */
function keyFor(
  kind: TokenKind,
  keyId: string | undefined,
  keys: JwtKeys,
): Promise<webcrypto.CryptoKey> {
  const key = keys.get(keyId ?? "");
  if (!key || keyId === undefined) throw new JWSSignatureVerificationFailed("unknown key");
  const cache = derivedKeys.get(keys) ?? new Map<string, Promise<webcrypto.CryptoKey>>();
  derivedKeys.set(keys, cache);
  const name = `${kinds[kind].typ} ${keyId}`;
  const made = cache.get(name) ?? deriveKey(key, kinds[kind].typ);
  cache.set(name, made);
  return made;
}

function deriveKey(key: Buffer, purpose: string): Promise<webcrypto.CryptoKey> {
  const bytes = Buffer.from(hkdfSync("sha256", key, "", purpose, 32));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return webcrypto.subtle.importKey("raw", bytes, algorithm, false, ["sign", "verify"]);
}

/** The claims of every token. Times are whole epoch seconds. A role is never a claim. */
export interface TokenClaims {
  readonly userId: number;
  readonly tokenId: string;
  /** The generation of the user's credentials at the time of signing. */
  readonly generation: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Claims that only this kind of token has, by name. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Ids are PostgreSQL's `integer`. A larger id would cause an error instead of a refusal. */
const maxId = 2 ** 31 - 1;

/** The last second with a year of four digits in ISO 8601. */
const lastSecond = 253_402_300_799;

const seconds = Joi.number().integer().min(0).max(lastSecond);
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const common = {
  sub: Joi.string()
    .pattern(/^[1-9]\d{0,9}$/)
    .custom((text: string, { error }) => (Number(text) > maxId ? error("any.invalid") : text))
    .required(),
  jti: Joi.string().pattern(uuid).required(),
  iat: seconds.required(),
  exp: seconds.required(),
  gen: Joi.number().integer().min(0).max(maxId).required(),
  aud: Joi.string().required(),
};

const signedInAt = { auth_time: seconds.required() };
const methods = Joi.array().items(Joi.string().max(32)).max(8);

/** CATALOGUE of required claims by kind. Other claims are allowed, because a newer release may add them. */
const schemas = {
  session: { ...signedInAt, amr: methods.required(), sid: Joi.forbidden() },
  access: {
    ...signedInAt,
    amr: methods,
    sid: Joi.number().integer().min(1).max(maxId).required(),
  },
  challenge: { stage: Joi.valid("totp").required(), kind: Joi.forbidden() },
  ssoChallenge: { stage: Joi.valid("totp").required(), kind: Joi.valid("sso_totp").required() },
} as const;
export type TokenKind = keyof typeof schemas;

const compiledSchemas = new Map(
  Object.entries(schemas).map(([kind, extra]) => [
    kind,
    Joi.object<Record<string, unknown>>({ ...common, ...extra })
      .unknown()
      .prefs({ convert: false }),
  ]),
);

/** Returns the claims of a verified payload, or null if they do not match the kind. */
function claimsOf(kind: TokenKind, payload: object): TokenClaims | null {
  const schema = compiledSchemas.get(kind);
  if (!schema || schema.validate(payload).error) return null;
  const { sub, jti, iat, exp, gen, aud: _aud, ...extra } = payload as Record<string, unknown>;
  return {
    userId: Number(sub),
    tokenId: String(jti),
    generation: Number(gen),
    issuedAt: Number(iat),
    expiresAt: Number(exp),
    extra,
  };
}
