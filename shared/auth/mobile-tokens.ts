import { randomUUID } from "node:crypto";

import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { signToken } from "../crypto/jwt.ts";
import { hashToken, newToken } from "../crypto/tokens.ts";
import { sqlOf } from "../db/sql.ts";
import type { UserRow } from "./users.ts";

/** What the app holds: a short-lived token to act with, a long-lived one to get the next pair. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds the access token lives. */
  readonly lifeMs: number;
}

/** A device session that is through. */
export interface MobileSignedIn {
  readonly user: UserRow;
  readonly pair: TokenPair;
}

export interface FamilyGrounds {
  /** The read that supplied the proof. */
  readonly user: Pick<UserRow, "id" | "issuedAt">;
  readonly deviceName: string | null;
  /** The device session this one continues: it keeps the sign-in's age and ends when that would. */
  readonly continued?: { readonly signedInAt: number; readonly expiresAt: Date };
}

/** Begins a device session: a family of tokens, each the successor of the one before. */
export async function openFamily(
  { user, deviceName, continued }: FamilyGrounds,
  transaction: Transaction,
  context: Context,
): Promise<TokenPair> {
  const { signedInAt, expiresAt } = { signedInAt: user.issuedAt, expiresAt: null, ...continued };
  const { rows } = await sqlOf(transaction).query<{ id: number }>(
    `insert into mobile_families (user_id, signed_in_at, expires_at)
     values ($1, $2, coalesce($4, clock_timestamp() + make_interval(secs => $3))) returning id`,
    [user.id, signedInAt, context.config.REFRESH_FAMILY_TTL / 1000, expiresAt],
  );
  const [family] = rows;
  if (!family) throw new Error("the device session was not stored");
  const link = { user, familyId: family.id, deviceName, signedInAt };
  return addToFamily(link, transaction, context);
}

export interface FamilyLink {
  readonly user: Pick<UserRow, "id" | "issuedAt">;
  readonly familyId: number;
  /** Carried forward from pair to pair. */
  readonly deviceName: string | null;
  readonly signedInAt: number;
}

/** The next pair of a family, used from this moment on. */
export async function addToFamily(
  link: FamilyLink,
  transaction: Transaction,
  { config }: Context,
): Promise<TokenPair> {
  const { user, familyId, deviceName } = link;
  const refreshToken = newToken("rt_");
  await sqlOf(transaction).query(
    `insert into mobile_sessions
       (family_id, token_hash, device_name, issued_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, now(), clock_timestamp() + make_interval(secs => $5))`,
    [familyId, hashToken(refreshToken), deviceName, user.issuedAt, config.REFRESH_TTL / 1000],
  );
  const claims = {
    userId: user.id,
    tokenId: randomUUID(),
    issuedAt: user.issuedAt,
    expiresAt: user.issuedAt + Math.ceil(config.ACCESS_TTL / 1000),
    extra: { sid: familyId, auth_time: link.signedInAt },
  };
  const accessToken = await signToken("access", claims, config.JWT_KEYS);
  return { accessToken, refreshToken, lifeMs: config.ACCESS_TTL };
}
