import type { InferAttributes, Transaction } from "sequelize";

import type { ApiToken } from "../../../models/auth/api-token.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import { notify } from "../../platform/notify/channels.ts";
import { runWithAdminLock } from "./admin-set.ts";
import { tokenPrefix } from "./token-caller.ts";

/** The roles of a token. No token can act as an administrator. */
export const tokenRoles = ["player", "editor", "moderator"] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** A token as administrators see it. The secret cannot be read again. */
export type ListedToken = Omit<InferAttributes<ApiToken>, "tokenHash">;

/** Lists the tokens that are not revoked, newest first. */
export const listTokens = ({ models }: Context): Promise<ListedToken[]> =>
  models.ApiToken.scope("unrevoked").findAll({
    attributes: { exclude: ["tokenHash"] },
    order: [["id", "DESC"]],
  });

export interface NewToken {
  readonly name: string;
  readonly role: TokenRole;
  readonly scopes: readonly string[];
  /** ISO 8601; absent if the token does not expire. */
  readonly expiresAt?: string | null | undefined;
}

/** A new token with its secret, which is shown only once. */
export interface CreatedToken {
  readonly token: ListedToken;
  readonly secret: string;
}

/** @throws AppError conflict at the limit of tokens, forbidden if the actor is no longer an administrator */
export async function createToken(
  { name, role, scopes, expiresAt = null }: NewToken,
  actor: Caller,
  context: Context,
): Promise<CreatedToken> {
  const { models } = context;
  const endsAt = expiresAt === null ? null : new Date(expiresAt);
  if (endsAt && !(endsAt.getTime() > Date.now())) {
    throw invalidFieldsError([{ path: "expiresAt", message: "expiresAt must be in the future" }]);
  }
  const secret = generateToken(tokenPrefix);
  return runWithAdminLock(actor, context, async (transaction) => {
    if ((await models.ApiToken.scope("live").count({ transaction })) >= limits.apiTokens) {
      throw new AppError(
        "token_limit_reached",
        `There are already ${limits.apiTokens} tokens: revoke one first`,
      );
    }
    const row = { name, role, scopes: [...scopes], expiresAt: endsAt, createdBy: actor.userId };
    const token = await models.ApiToken.create(
      { ...row, tokenHash: hashToken(secret), lastUsedAt: null, revokedAt: null },
      { transaction },
    );
    const target = { type: "token", id: token.id };
    const detail = { name, role, scopes };
    await recordActivity({ actor, action: "token.created", target, detail }, transaction);
    return { token, secret };
  });
}

/** Revokes a token and closes its streams. @throws AppError missing if it is unknown or already revoked */
export function revokeToken(tokenId: number, actor: Caller, context: Context): Promise<void> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const revoked = await context.models.ApiToken.revokeOnce(tokenId, transaction);
    if (!revoked) throw notFoundError("Unknown token");
    const { id: apiTokenId, createdBy: userId } = revoked;
    const target = { type: "token", id: apiTokenId };
    await recordActivity({ actor, action: "token.revoked", target }, transaction);
    await notify("auth_revoked", { userId, apiTokenId }, transaction);
  });
}

/**
 * Revokes all tokens of a user who is no longer an administrator, and closes their streams. A later promotion
 * restores no token.
 */
export async function revokeTokensOfUser(userId: number, transaction: Transaction): Promise<void> {
  const revoked = await modelsOf(transaction).ApiToken.revokeAllBy(userId, transaction);
  for (const { id } of revoked) {
    await notify("auth_revoked", { userId, apiTokenId: id }, transaction);
  }
}

export async function readOwnApiTokens(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const tokens = await models.ApiToken.findAll({ where: { createdBy: userId }, order: ["id"] });
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    role: token.role,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
  }));
}
