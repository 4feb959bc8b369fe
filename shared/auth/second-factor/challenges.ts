import { randomUUID } from "node:crypto";

import type { AuthChallenge } from "../../../models/auth/auth-challenge.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Context } from "../../platform/context.ts";
import { readToken, signToken, type TokenClaims } from "../../platform/crypto/jwt.ts";
import type { AuthorizedUser } from "../sessions/authorized-user.ts";

/** `totp` follows a password; `sso_totp` follows a sign-in at a provider. */
export type ChallengeKind = AuthChallenge["kind"];

const tokenKinds = { totp: "challenge", sso_totp: "ssoChallenge" } as const;

/** A signed token with which the client sends the second factor. It is not a session. */
export interface Challenge {
  readonly challenge: string;
  readonly maxAgeMs: number;
}

/** The identity that signed in at a provider, and the SSO transaction of that sign-in. */
export interface SsoOrigin {
  readonly identityId: number;
  readonly ssoTransactionId: number;
}

/** Opens a challenge for a user whose first factor is proven. */
export async function openChallenge(
  kind: ChallengeKind,
  { user, transaction }: AuthorizedUser,
  { config, models }: Context,
  origin?: SsoOrigin,
): Promise<Challenge> {
  const id = randomUUID();
  const { id: userId, generation, readAt: issuedAt } = user;
  const seconds = Math.ceil(config.CHALLENGE_TTL / 1000);
  const expiresAt = clockNowPlus(seconds * 1000);
  const challengeRow = { id, userId, kind, generation, issuedAt, expiresAt, ...origin };
  await models.AuthChallenge.create(challengeRow, { transaction });
  const claims = {
    userId,
    tokenId: id,
    generation,
    issuedAt,
    expiresAt: issuedAt + seconds,
    extra: kind === "totp" ? { stage: "totp" } : { stage: "totp", kind },
  };
  const challenge = await signToken(tokenKinds[kind], claims, config.JWT_KEYS);
  return { challenge, maxAgeMs: config.CHALLENGE_TTL };
}

/** Reads a challenge's token, even if it has expired: the stored row tells if it is still open. */
export const readChallenge = (
  kind: ChallengeKind,
  challenge: string,
  { config }: Context,
): Promise<TokenClaims | null> => readToken(tokenKinds[kind], challenge, config.JWT_KEYS);
