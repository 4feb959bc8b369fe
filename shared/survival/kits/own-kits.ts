import type { Context } from "../../context.ts";
import { type Database, rows } from "../../db/rows.ts";

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
 *         server: { type: string, description: What the server is called., example: Emberfall }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         kit: { type: string, example: veteran }
 *         uses: { type: integer, example: 1 }
 *         used: { type: integer, example: 0 }
 *         state:
 *           type: string
 *           enum: [pending, delivered, redeemed, expired, failed]
 *           description: >
 *             `pending` until the game has it; after a wipe it is given to the game again. It can be
 *             taken in the game while it is `delivered`.
 *         createdAt: { type: string, format: date-time }
 *         deliveredAt: { type: string, format: date-time, nullable: true }
 *         expiresAt: { type: string, format: date-time, nullable: true }
 */
export const readOwnKits = (userId: number, { sequelize }: Ground): Promise<object[]> =>
  findKits(userId, most, sequelize);

/** All of them, for whoever takes along what is stored. */
export const readAllOwnKits = (userId: number, { sequelize }: Ground): Promise<object[]> =>
  findKits(userId, null, sequelize);

type Ground = Pick<Context, "sequelize">;

const findKits = (userId: number, atMost: number | null, database: Database): Promise<object[]> =>
  rows(
    database,
    `select entitlement.id, server.id as "serverId", server.name as server,
       entitlement.steam_id as "steamId", kit, uses, used,
       case when state in ('pending', 'delivered') and expires_at <= clock_timestamp()
         then 'expired' else state end as state,
       entitlement.created_at as "createdAt", delivered_at as "deliveredAt",
       expires_at as "expiresAt"
     from survival_entitlements entitlement
     join steam_links link on link.steam_id = entitlement.steam_id
     join survival_servers server on server.id = entitlement.server_id
     where link.user_id = $1
     order by entitlement.id desc limit $2`,
    [userId, atMost],
  );
