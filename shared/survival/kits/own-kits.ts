import { col } from "sequelize";

import { computed, plainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
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
 *         uses:
 *           type: integer
 *           example: 1
 *           description: How many times in total the player may take the kit.
 *         used:
 *           type: integer
 *           example: 0
 *           description: How many times the player has taken the kit.
 *         state:
 *           type: string
 *           enum: [pending, delivered, redeemed, expired, failed]
 *           description: >-
 *             State of the kit. `pending`: the kit was not delivered to the game server yet.
 *             `delivered`: the player can take the kit in the game. `redeemed`: the player has
 *             taken the kit as often as `uses` allows. `expired`: the kit has expired. `failed`:
 *             the game server refused the kit. After a wipe, a kit that the player has not taken
 *             becomes `pending` again and is delivered to the new world.
 *         createdAt: { type: string, format: date-time }
 *         deliveredAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >
 *             When the kit was last delivered to the game server. Null before the first delivery.
 *         expiresAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the kit expires. Null if it does not expire.
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
