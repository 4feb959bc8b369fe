import { type InferAttributes, type Transaction, Op } from "sequelize";

import type { Invite } from "../../../models/auth/invite.ts";
import type { Role } from "../../../models/auth/user.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashPassword } from "../../platform/crypto/passwords.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { authorizeProvenUser, recordLogin } from "../login/authorize-login.ts";
import type { WebSignIn } from "../login/login.ts";
import { isHoneypotFilled, type PasswordSignInRequest } from "../login/prove-password.ts";
import { checkPassword } from "../rules/password-policy.ts";
import { invalidLinkError } from "../rules/sign-in-errors.ts";
import { checkUsername } from "../rules/usernames.ts";
import { mintSession } from "../sessions/sessions.ts";
import { enqueueMail } from "../users/order-mail.ts";
import { createUser, type UserRow } from "../users/users.ts";
import { runWithAdminLock } from "./admin-set.ts";

/** An invitation as administrators see it. The token cannot be read again. */
export type ListedInvite = Omit<InferAttributes<Invite>, "tokenHash">;

const listLimit = 500;

/** Lists invitations, newest first. */
export const listInvites = ({ models }: Context): Promise<ListedInvite[]> =>
  models.Invite.findAll({
    attributes: { exclude: ["tokenHash"] },
    order: [["id", "DESC"]],
    limit: listLimit,
  });

export interface NewInvite {
  readonly email?: string | undefined;
  readonly role: Role;
}

/** A new invitation. If mail is off, `token` is set and the administrator passes it on; otherwise it is null. */
export interface CreatedInvite {
  readonly invite: ListedInvite;
  readonly token: string | null;
}

/**
 * Invites a person to an account with the given role: by mail, or by a link if mail is off.
 * @throws AppError forbidden if the actor is no longer an administrator: a demotion revokes the actor's open
 * invitations, so none may be created after it
 */
export function createInvite(
  { email, role }: NewInvite,
  actor: Caller,
  context: Context,
): Promise<CreatedInvite> {
  const { mail, models, config } = context;
  if (mail.isOn && email === undefined) {
    throw invalidFieldsError([{ path: "email", message: "email is required" }]);
  }
  const token = mail.isOn ? null : generateToken();
  return runWithAdminLock(actor, context, async (transaction) => {
    const actorId = actor.userId;
    const invite = await models.Invite.create(
      {
        email: email ?? null,
        role,
        createdBy: actorId,
        tokenHash: token === null ? null : hashToken(token),
        expiresAt: clockNowPlus(config.INVITE_TTL),
      },
      { transaction },
    );
    const target = { type: "invite", id: invite.id };
    const line = { actorId, action: "invite.created", target, detail: { role } };
    await recordActivity(line, transaction);
    await enqueueMail({ letter: "invite", inviteId: invite.id }, transaction, context);
    return { invite, token };
  });
}

/** @throws AppError missing if the invitation is unknown, used or revoked */
export function revokeInvite(
  inviteId: number,
  actor: Caller,
  { sequelize, models }: Context,
): Promise<void> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const isRevoked = await models.Invite.revokeOnce(inviteId, transaction);
    if (!isRevoked) throw notFoundError("Unknown invite");
    const target = { type: "invite", id: inviteId };
    await recordActivity({ actor, action: "invite.revoked", target }, transaction);
  });
}

export interface OpenInvite extends Readonly<Pick<Invite, "email" | "role" | "expiresAt">> {
  readonly tokenHash: Buffer;
}

/** Finds a link's invitation without using it up. @throws SignInRefusal if the link is dead */
export async function findInvite(token: string, { models }: Context): Promise<OpenInvite> {
  const tokenHash = hashToken(token);
  const invite = await models.Invite.scope("open").findOne({ where: { tokenHash } });
  if (!invite) throw invalidLinkError();
  const { email, role, expiresAt } = invite;
  return { tokenHash, email, role, expiresAt };
}

/**
 * Creates the account of an invitation and signs it in, even while registration is closed. Concurrent
 * requests create one account. A taken name leaves the invitation open.
 * @throws SignInRefusal if the link is dead or another request used it first
 */
export async function acceptInvite(
  { tokenHash }: OpenInvite,
  attempt: PasswordSignInRequest,
  client: SignInClient,
  context: Context,
): Promise<WebSignIn> {
  const { username, password, company } = attempt;
  if (isHoneypotFilled(company)) throw invalidLinkError("honeypot");
  const faults = [...checkUsername(username), ...checkPassword(password, { username })];
  if (faults.length > 0) throw invalidFieldsError(faults);
  const stored = await hashPassword(password, context.config, client.address);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    // Take the role from the accepted row, because the row that was read earlier may be stale.
    const invite = await context.models.Invite.acceptOnce(tokenHash, transaction);
    if (!invite) throw invalidLinkError();
    const { email, role } = invite;
    const created = await createUser({ username, email, role, ...stored }, transaction);
    await recordAcceptance(invite, created, client, transaction);
    const amr = ["pwd"];
    const authorized = await authorizeProvenUser(created, created, context);
    await recordLogin(authorized, { amr, via: "web", client });
    const session = await mintSession(authorized, { amr }, context.config);
    return { user: authorized.user, session };
  });
}

async function recordAcceptance(
  { id, role }: Invite,
  user: UserRow,
  { address }: SignInClient,
  transaction: Transaction,
): Promise<void> {
  const { Invite: Invites } = modelsOf(transaction);
  await Invites.update({ acceptedUserId: user.id }, { where: { id }, transaction });
  const target = { type: "invite", id };
  const line = { actorId: user.id, action: "invite.accepted", target, address, detail: { role } };
  await recordActivity(line, transaction);
}

/** Lists the invitations that the user sent (without addresses) or accepted. */
export async function readOwnInvites(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const invites = await models.Invite.findAll({
    where: { [Op.or]: [{ createdBy: userId }, { acceptedUserId: userId }] },
    order: ["id"],
  });
  return invites.map((invite) => ({
    id: invite.id,
    sent_by_you: invite.createdBy === userId,
    email: invite.acceptedUserId === userId ? invite.email : null,
    role: invite.role,
    created_at: invite.createdAt,
    expires_at: invite.expiresAt,
    accepted_at: invite.acceptedAt,
    revoked_at: invite.revokedAt,
  }));
}
