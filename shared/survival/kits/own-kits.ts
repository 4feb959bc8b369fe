import { col } from "sequelize";

import { computed, plainRows } from "../../../models/plain-rows.ts";
import type { Context } from "../../context.ts";
import { readOwnSteamIds } from "../own-data/own-steam-ids.ts";

/** Kits that one answer holds, the latest. */
const most = 500;

/**
 * Kits that a user may take, or could, with all Steam accounts that they linked.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnKit:
 *       type: object
 *       additionalProperties: false
 *       required: [id, serverId, server, steamId, kit, uses, used, state, createdAt, deliveredAt,
 *         expiresAt]
 *       properties:
 *         id: { type: integer, example: 24108 }
 *         serverId: { type: integer, example: 3 }
 *         server: { type: string, description: Name of the server., example: Emberfall }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         kit: { type: string, example: veteran, description: Name of the kit in the game. }
 *         uses: { type: integer, example: 1, description: How often the kit may be taken in all. }
 *         used: { type: integer, example: 0, description: How often it has been taken. }
 *         state:
 *           type: string
 *           enum: [pending, delivered, redeemed, expired, failed]
 *           description: >
 *             `pending`: waits for the game server. `delivered`: the player can take it in the
 *             game. `redeemed`: all uses are taken. `expired`: its time is over. `failed`: the game
 *             server refused it. After a wipe a kit that was not taken becomes `pending` again and
 *             is delivered to the new world.
 *         createdAt: { type: string, format: date-time }
 *         deliveredAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When it was last delivered to the game server. Null before that.
 *         expiresAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Null if it does not expire.
 */
export const readOwnKits = (userId: number, context: Ground): Promise<object[]> =>
  findKits(userId, context, { limit: most });

/** All of them, for whoever takes along what is stored. */
export const readAllOwnKits = (userId: number, context: Ground): Promise<object[]> =>
  findKits(userId, context);

type Ground = Pick<Context, "models">;

const findKits = async (
  userId: number,
  { models }: Ground,
  paging: { readonly limit?: number } = {},
): Promise<object[]> =>
  plainRows(models.SurvivalEntitlement, {
    columns: [
      "id",
      "serverId",
      "steamId",
      "kit",
      "uses",
      "used",
      "createdAt",
      "deliveredAt",
      "expiresAt",
    ],
    computed: {
      server: computed<string>(col("server.name")),
      state: models.SurvivalEntitlement.stateNow,
    },
    include: [{ association: "server", attributes: [] }],
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    order: [["id", "DESC"]],
    ...paging,
  });
