import { Op } from "sequelize";

import type { Context } from "../../platform/context.ts";

/** Invitations that the user sent, without who was invited, and the one the account comes from. */
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
