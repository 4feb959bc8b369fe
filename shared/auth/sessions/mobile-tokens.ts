import { randomUUID } from "node:crypto";

import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { signToken } from "../../platform/crypto/jwt.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import type { UserRow } from "../users/users.ts";
import type { AuthorizedUser } from "./authorized-user.ts";

/** A short-lived access token and a long-lived token to get the next pair. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The id of the device session. */
  readonly familyId: number;
  /** Milliseconds until the access token expires. */
  readonly lifeMs: number;
}

/** A completed sign-in by the app. */
export interface MobileSignIn {
  readonly user: UserRow;
  readonly pair: TokenPair;
}

/** Begins a device session: a family of tokens, each the successor of the previous one. */
export async function openDeviceSession(
  authorized: AuthorizedUser,
  deviceName: string | null,
  context: Context,
): Promise<TokenPair> {
  const { user, transaction } = authorized;
  const signedInAt = user.readAt;
  const family = await context.models.MobileFamily.create(
    { userId: user.id, signedInAt, expiresAt: clockNowPlus(context.config.REFRESH_FAMILY_TTL) },
    { transaction },
  );
  return issueNextTokenPair(authorized, { familyId: family.id, deviceName, signedInAt }, context);
}

export interface DeviceSessionRef {
  readonly familyId: number;
  /** Copied from each pair to the next. */
  readonly deviceName: string | null;
  readonly signedInAt: number;
}

/** Adds the next pair to a family. */
export async function issueNextTokenPair(
  authorized: AuthorizedUser,
  link: DeviceSessionRef,
  context: Context,
): Promise<TokenPair> {
  const { familyId, deviceName } = link;
  const { user, transaction } = authorized;
  const { config, models } = context;
  const { generation, readAt: issuedAt } = user;
  const refreshToken = generateToken("rt_");
  await models.MobileSession.create(
    {
      familyId,
      tokenHash: hashToken(refreshToken),
      deviceName,
      issuedAt,
      generation,
      expiresAt: clockNowPlus(config.REFRESH_TTL),
    },
    { transaction },
  );
  return createTokenPair(refreshToken, authorized, link, config);
}

/** Returns a refresh token that is already stored, with a new access token. */
export async function createTokenPair(
  refreshToken: string,
  { user }: AuthorizedUser,
  { familyId, signedInAt }: Omit<DeviceSessionRef, "deviceName">,
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
