import { Op } from "sequelize";

import type { Context } from "../../platform/context.ts";

/**
 * Invitations that the user sent, without who was invited, and the one the account comes from.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnInvite:
 *       type: object
 *       additionalProperties: false
 *       required: [id, sent_by_you, email, role, created_at, expires_at, accepted_at, revoked_at]
 *       properties:
 *         id: { type: integer }
 *         sent_by_you: { type: boolean, description: True for an invitation that the user sent. False for the invitation with which the user's account was created. }
 *         email: { type: string, nullable: true, description: E-mail address to which the invitation was sent. Null for invitations that the user sent. }
 *         role: { $ref: '#/components/schemas/Role' }
 *         created_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time }
 *         accepted_at: { type: string, format: date-time, nullable: true }
 *         revoked_at: { type: string, format: date-time, nullable: true }
 */
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
