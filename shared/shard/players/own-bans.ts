import { Op } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { readAccountKeys } from "../owners/own-links.ts";

/**
 * Bans of a user's present game accounts, those that are over too. Who gave them is told to nobody
 * but staff.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnBan:
 *       type: object
 *       additionalProperties: false
 *       required: [id, account, reason, issuedAt, expiresAt, endedAt]
 *       properties:
 *         id: { type: integer }
 *         account: { type: string }
 *         reason: { type: string, example: Unattended macroing }
 *         issuedAt: { type: string, format: date-time }
 *         expiresAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: End of the ban. Null for a permanent ban.
 *         endedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the ban was lifted, or replaced by another ban. Null if neither has happened.
 */
export async function readOwnBans(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.Punishment.findAll({
    where: {
      accountKey: await readAccountKeys(userId, { models }),
      // Until the shard said that it stands there is none.
      confirmedAt: { [Op.ne]: null },
    },
    attributes: ["id", "account", "reason", "issuedAt", "expiresAt", "endedAt"],
    order: ["id"],
    raw: true,
  });
}
