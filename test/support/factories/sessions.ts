import { decodeJwt } from "jose";

import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { UserChange } from "../races/overtake.ts";

export const tokenIdOf = (cookie: string): string =>
  String(decodeJwt(cookie.slice("session=".length)).jti);

/** Returns a function that revokes the session of this cookie in the database. */
export const signOut =
  (cookie: string): UserChange =>
  ({ context }, userId, transaction) => {
    const token = { tokenId: tokenIdOf(cookie), userId, expiresAt: clockNowPlus(86_400_000) };
    return context.models.RevokedToken.revokeOnce(token, transaction);
  };

/** Ends all device sessions of a user in the database. */
export const endDevices: UserChange = ({ context }, userId, transaction) =>
  context.models.MobileFamily.revokeAllOf(userId, { reason: "revoked", spared: null }, transaction);

export const revokeTokensOf: UserChange = ({ context }, createdBy, transaction) =>
  context.models.ApiToken.update({ revokedAt: clockNow() }, { where: { createdBy }, transaction });
