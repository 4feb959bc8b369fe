import { Op, type Transaction } from "sequelize";

import type { AuthProvider } from "../../../models/auth/auth-provider.ts";
import type { Identity } from "../../../models/auth/identity.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { issuerOf } from "../providers/endpoints.ts";
import { isProviderOffered } from "../providers/providers.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import type { UserRow } from "../users/users.ts";

/** Lists the user's accounts at sign-in providers, in the order of linking. */
export const listIdentities = (
  userId: number,
  { models }: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<Identity[]> =>
  models.Identity.findAll({
    where: { userId },
    order: ["linkedAt", "id"],
    ...(transaction && { transaction }),
  });

/** @throws AppError missing if the user has no such identity */
export async function findIdentity(
  userId: number,
  providerId: string,
  { models }: Context,
): Promise<Identity> {
  const identity = await models.Identity.findOne({ where: { userId, providerId } });
  if (!identity) throw notFoundError();
  return identity;
}

export interface UnlinkRequest {
  readonly caller: Caller;
  readonly client: SignInClient;
  readonly identity: Identity;
}

/** @throws AppError conflict if the user could not sign in without the identity */
export function unlinkIdentity(unlinking: UnlinkRequest, context: Context): Promise<void> {
  const { caller, client, identity } = unlinking;
  const { userId } = caller;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    await removeIdentity(user, identity, transaction, context);
    const detail = { provider: identity.providerId };
    await recordOwnActivity({ userId, action: "auth.sso.unlinked", client, detail }, transaction);
  });
}

/**
 * Removes an identity of a locked user. The lock keeps two concurrent requests from removing the last two ways to
 * sign in.
 * @throws AppError conflict if it is the last way to sign in, missing if another request removed it
 */
export async function removeIdentity(
  { id: userId, passwordHash }: Pick<UserRow, "id" | "passwordHash">,
  { id }: Identity,
  transaction: Transaction,
  { config }: Pick<Context, "config">,
): Promise<void> {
  const { Identity } = modelsOf(transaction);
  const where = { userId, id: { [Op.ne]: id } };
  const others = await Identity.findAll({ where, include: ["provider"], transaction });
  const canSignIn = passwordHash !== null || others.some((other) => canSignInBy(other, config));
  if (!canSignIn) throw lastSignInWayError();
  if (!(await Identity.destroy({ where: { id }, transaction }))) throw notFoundError();
}

/** True if the user can sign in with an identity: its provider is offered and has the same issuer. */
function canSignInBy({ issuer, provider }: Identity, config: Config): boolean {
  const isOpen = (by: AuthProvider) =>
    isProviderOffered(by, config) && issuerOf(by, config) === issuer;
  return provider !== undefined && provider !== null && isOpen(provider);
}

const lastSignInWayError = () =>
  new AppError("last_sign_in_way", "Set a password first: this is the last way to sign in");
