import { decodeJwt } from "jose";

import { clockAfter, clockNow } from "../../../models/queries/clock.ts";
import type { UserChange } from "../races/overtake.ts";

export const tokenIdOf = (cookie: string): string =>
  String(decodeJwt(cookie.slice("session=".length)).jti);

/** Makes the database changes of a log-out by this cookie. */
export const signOut =
  (cookie: string): UserChange =>
  ({ context }, userId, transaction) => {
    const token = { tokenId: tokenIdOf(cookie), userId, expiresAt: clockAfter(86_400_000) };
    return context.models.RevokedToken.revokeOnce(token, transaction);
  };

/** Makes the database changes of ending all device sessions. */
export const endDevices: UserChange = ({ context }, userId, transaction) =>
  context.models.MobileFamily.revokeAllOf(userId, { reason: "revoked", spared: null }, transaction);

export const revokeTokensOf: UserChange = ({ context }, createdBy, transaction) =>
  context.models.ApiToken.update({ revokedAt: clockNow() }, { where: { createdBy }, transaction });
