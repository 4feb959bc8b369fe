import { randomUUID } from "node:crypto";

import type { AuthChallenge } from "../../../models/auth/auth-challenge.ts";
import { clockAfter } from "../../../models/queries/clock.ts";
import type { Context } from "../../platform/context.ts";
import { readToken, signToken, type TokenClaims } from "../../platform/crypto/jwt.ts";
import type { Admission } from "../sessions/admission.ts";

/** `totp` follows a password, `sso_totp` a sign-in at a provider. */
export type ChallengeKind = AuthChallenge["kind"];

const tokenKinds = { totp: "challenge", sso_totp: "ssoChallenge" } as const;

/** The question for the second factor, handed to the client. It is no session. */
export interface Challenge {
  readonly challenge: string;
  readonly maxAgeMs: number;
}

/** By which identity a user signs in at a provider, and in what begun there. */
export interface SsoOrigin {
  readonly identityId: number;
  readonly ssoTransactionId: number;
}

/** Asks for the second factor of a user whose first one is proven. */
export async function openChallenge(
  kind: ChallengeKind,
  { user, transaction }: Admission,
  { config, models }: Context,
  origin?: SsoOrigin,
): Promise<Challenge> {
  const id = randomUUID();
  const { id: userId, generation, readAt: issuedAt } = user;
  const seconds = Math.ceil(config.CHALLENGE_TTL / 1000);
  const expiresAt = clockAfter(seconds * 1000);
  const asked = { id, userId, kind, generation, issuedAt, expiresAt, ...origin };
  await models.AuthChallenge.create(asked, { transaction });
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

/** Reads one of any age: its row says whether it is still open. */
export const readChallenge = (
  kind: ChallengeKind,
  challenge: string,
  { config }: Context,
): Promise<TokenClaims | null> => readToken(tokenKinds[kind], challenge, config.JWT_KEYS);
