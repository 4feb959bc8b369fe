import { randomUUID } from "node:crypto";

import type { Sequelize, Transaction } from "sequelize";
import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { readToken, signToken, type TokenClaims } from "../crypto/jwt.ts";
import { sqlOf } from "../db/sql.ts";
import type { UserRow } from "./users.ts";

/** `totp` follows a password, `sso_totp` a sign-in at a provider. */
export type ChallengeKind = "totp" | "sso_totp";

const tokenKinds = { totp: "challenge", sso_totp: "ssoChallenge" } as const;

/** The question for the second factor, handed to the client. It is no session. */
export interface Challenge {
  readonly challenge: string;
  readonly maxAgeMs: number;
}

/** Asks for the second factor of a user whose first one is proven. */
export async function openChallenge(
  kind: ChallengeKind,
  user: Pick<UserRow, "id" | "issuedAt">,
  transaction: Transaction,
  { config }: Context,
): Promise<Challenge> {
  const id = randomUUID();
  const seconds = Math.ceil(config.CHALLENGE_TTL / 1000);
  await sqlOf(transaction).query(
    `insert into auth_challenges (id, user_id, kind, issued_at, expires_at)
     values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))`,
    [id, user.id, kind, user.issuedAt, seconds],
  );
  const claims = {
    userId: user.id,
    tokenId: id,
    issuedAt: user.issuedAt,
    expiresAt: user.issuedAt + seconds,
    extra: kind === "totp" ? { stage: "totp" } : { stage: "totp", kind },
  };
  const challenge = await signToken(tokenKinds[kind], claims, config.JWT_KEYS);
  return { challenge, maxAgeMs: config.CHALLENGE_TTL };
}

export const readChallenge = (
  kind: ChallengeKind,
  challenge: string,
  { config }: Context,
): Promise<TokenClaims | null> => readToken(tokenKinds[kind], challenge, config.JWT_KEYS);

/**
 * Takes one of the challenge's tries, committed before anything is compared: a burst of guesses
 * finds no more tries than guesses one after another.
 * @returns false when the challenge is used, expired or out of tries
 */
export async function takeAttempt(id: string, { sequelize, config }: Context): Promise<boolean> {
  const rows = await sequelize.query<{ id: string }>(
    `update auth_challenges set attempts = attempts + 1
     where id = $1 and consumed_at is null and expires_at > clock_timestamp() and attempts < $2
     returning id`,
    { bind: [id, config.CHALLENGE_TRIES], type: QueryTypes.SELECT },
  );
  return rows.length === 1;
}

/** Gives a try back that went wrong for a reason that was no guess. */
export async function returnAttempt(id: string, sequelize: Sequelize): Promise<void> {
  await sequelize.query("update auth_challenges set attempts = attempts - 1 where id = $1", {
    bind: [id],
  });
}

/** @returns false for all but the first */
export async function consumeChallenge(id: string, transaction: Transaction): Promise<boolean> {
  const { rowCount } = await sqlOf(transaction).query(
    "update auth_challenges set consumed_at = now() where id = $1 and consumed_at is null",
    [id],
  );
  return rowCount === 1;
}
