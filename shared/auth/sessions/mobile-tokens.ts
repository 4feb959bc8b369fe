import { randomUUID } from "node:crypto";

import { clockAfter } from "../../../models/queries/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { signToken } from "../../platform/crypto/jwt.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import type { UserRow } from "../users/users.ts";
import type { Admission } from "./admission.ts";

/** What the app holds: a short-lived token to act with, a long-lived one to get the next pair. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The device session that both belong to. */
  readonly familyId: number;
  /** Milliseconds the access token lives. */
  readonly lifeMs: number;
}

/** A device session that is through. */
export interface MobileSignedIn {
  readonly user: UserRow;
  readonly pair: TokenPair;
}

/** Begins a device session: a family of tokens, each the successor of the one before. */
export async function openFamily(
  admission: Admission,
  deviceName: string | null,
  context: Context,
): Promise<TokenPair> {
  const { user, transaction } = admission;
  const signedInAt = user.readAt;
  const family = await context.models.MobileFamily.create(
    { userId: user.id, signedInAt, expiresAt: clockAfter(context.config.REFRESH_FAMILY_TTL) },
    { transaction },
  );
  return addToFamily(admission, { familyId: family.id, deviceName, signedInAt }, context);
}

export interface FamilyLink {
  readonly familyId: number;
  /** Carried forward from pair to pair. */
  readonly deviceName: string | null;
  readonly signedInAt: number;
}

/** The next pair of a family, used from this moment on. */
export async function addToFamily(
  admission: Admission,
  link: FamilyLink,
  context: Context,
): Promise<TokenPair> {
  const { familyId, deviceName } = link;
  const { user, transaction } = admission;
  const { config, models } = context;
  const { generation, readAt: issuedAt } = user;
  const refreshToken = newToken("rt_");
  await models.MobileSession.create(
    {
      familyId,
      tokenHash: hashToken(refreshToken),
      deviceName,
      issuedAt,
      generation,
      expiresAt: clockAfter(config.REFRESH_TTL),
    },
    { transaction },
  );
  return pairWith(refreshToken, admission, link, config);
}

/** A refresh token of a family that is stored already, and a new access token. */
export async function pairWith(
  refreshToken: string,
  { user }: Admission,
  { familyId, signedInAt }: Omit<FamilyLink, "deviceName">,
  config: Config,
): Promise<TokenPair> {
  const { generation, readAt: issuedAt } = user;
  const claims = {
    userId: user.id,
    tokenId: randomUUID(),
    generation,
    issuedAt,
    expiresAt: issuedAt + Math.ceil(config.ACCESS_TTL / 1000),
    extra: { sid: familyId, auth_time: signedInAt },
  };
  const accessToken = await signToken("access", claims, config.JWT_KEYS);
  return { accessToken, refreshToken, familyId, lifeMs: config.ACCESS_TTL };
}
