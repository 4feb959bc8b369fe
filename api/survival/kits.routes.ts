import { readOwnKits } from "../../shared/survival/rewards/own-kits.ts";
import { defineRoute } from "../http/route.ts";

export const kitsRoutes = [
  /**
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
   *           description: When the kit expires. Null if the kit does not expire.
   */
  defineRoute({
    method: "get",
    path: "/api/v1/player/survival/kits",
    gate: "auth",
    set: "additive",
    tag: "Survival",
    summary: "List the caller's kits",
    description:
      "Returns the newest 500 kits that were given to the caller's linked Steam accounts, newest " +
      "first. The list includes redeemed, expired and failed kits.",
    answers: { 200: { enveloped: "kits", shape: { listOf: "OwnKit" } } },
    handle: async ({ caller }, context) => ({ kits: await readOwnKits(caller.userId, context) }),
  }),
];
