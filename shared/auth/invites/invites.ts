import type { InferAttributes } from "sequelize";

import type { Invite } from "../../../models/auth/invite.ts";
import type { Role } from "../../../models/auth/user.ts";
import { clockAfter } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, newToken } from "../../platform/crypto/tokens.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { invalidFields, missing } from "../../platform/errors/errors.ts";
import { inAdminSet } from "../admins/admin-set.ts";
import { orderMail } from "../mail/order-mail.ts";

/** An invitation as administrators see it; nobody reads a token again. */
export type ListedInvite = Omit<InferAttributes<Invite>, "tokenHash">;

/** Longest list; older invitations are only history. */
const mostListed = 500;

/** Invitations, the newest first. */
export const listInvites = ({ models }: Context): Promise<ListedInvite[]> =>
  models.Invite.findAll({
    attributes: { exclude: ["tokenHash"] },
    order: [["id", "DESC"]],
    limit: mostListed,
  });

export interface NewInvite {
  readonly email?: string | undefined;
  readonly role: Role;
}

/** An invitation just made; the token is there to hand on when mail is off, and else null. */
export interface MadeInvite {
  readonly invite: ListedInvite;
  readonly token: string | null;
}

/**
 * Invites somebody to an account of a given role: by mail, or by a link while mail is off.
 * @throws AppError forbidden when the actor ceased to be an administrator: their invitations
 *   end with their rights, and this one would come after the end
 */
export function createInvite(
  { email, role }: NewInvite,
  actor: Caller,
  context: Context,
): Promise<MadeInvite> {
  const { mail, models, config } = context;
  if (mail.isOn && email === undefined) {
    throw invalidFields([{ path: "email", message: "email is required" }]);
  }
  const token = mail.isOn ? null : newToken();
  return inAdminSet(actor, context, async (transaction) => {
    const actorId = actor.userId;
    const invite = await models.Invite.create(
      {
        email: email ?? null,
        role,
        createdBy: actorId,
        tokenHash: token === null ? null : hashToken(token),
        expiresAt: clockAfter(config.INVITE_TTL),
      },
      { transaction },
    );
    const target = { type: "invite", id: invite.id };
    const line = { actorId, action: "invite.created", target, detail: { role } };
    await recordActivity(line, transaction);
    await orderMail({ letter: "invite", inviteId: invite.id }, transaction, context);
    return { invite, token };
  });
}

/** Takes an invitation back. @throws AppError missing when it is unknown, used or taken back */
export function revokeInvite(
  inviteId: number,
  actor: Caller,
  { sequelize, models }: Context,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const isRevoked = await models.Invite.revokeOnce(inviteId, transaction);
    if (!isRevoked) throw missing("Unknown invite");
    const target = { type: "invite", id: inviteId };
    await recordActivity({ actor, action: "invite.revoked", target }, transaction);
  });
}
