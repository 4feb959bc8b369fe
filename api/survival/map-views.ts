import type { ShownLive } from "../../shared/survival/map/live/read-live.ts";
import type { ShownMap } from "../../shared/survival/map/read-map.ts";

/** Where a picture is, under its hash, which never changes. */
export const imagePath = (serverId: number, hash: string): string =>
  `/api/v1/public/survival/servers/${serverId}/map/image?hash=${hash}`;

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalMap:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, worldSize, seed, image, grid, monuments, layers, live]
 *       properties:
 *         serverId: { type: integer }
 *         worldSize:
 *           type: integer
 *           nullable: true
 *           example: 4250
 *           description: Metres of a side. The middle of the map is 0, 0; x goes east, z north.
 *         seed: { type: string, nullable: true, description: Null where the server does not show it. }
 *         image: { $ref: '#/components/schemas/SurvivalMapImage' }
 *         grid: { $ref: '#/components/schemas/SurvivalMapGrid' }
 *         monuments:
 *           type: array
 *           description: Without those of hidden labels; empty below the audience of the layer `world`.
 *           items: { $ref: '#/components/schemas/SurvivalMonument' }
 *         layers:
 *           type: object
 *           description: Which layers the caller gets.
 *           additionalProperties: false
 *           required: [world, events, players, bases]
 *           properties:
 *             world: { type: boolean }
 *             events: { type: boolean }
 *             players: { type: boolean }
 *             bases: { type: boolean }
 *         live: { type: boolean, description: Whether the caller may see live positions. }
 *     SurvivalMapImage:
 *       type: object
 *       nullable: true
 *       description: >
 *         The picture of the world that stands, north on top. With `k = (width - 2 * oceanMargin) /
 *         worldSize` a point is at `x: (x + worldSize / 2) * k + oceanMargin` and
 *         `y: height - ((z + worldSize / 2) * k + oceanMargin)` from the upper left corner.
 *       additionalProperties: false
 *       required: [hash, url, width, height, oceanMargin, background]
 *       properties:
 *         hash: { type: string, description: 'Of its bytes, sha256.' }
 *         url: { type: string, example: '/api/v1/public/survival/servers/3/map/image?hash=0a0a', description: It may be kept for ever. }
 *         width: { type: integer, example: 1536 }
 *         height: { type: integer, example: 1536 }
 *         oceanMargin: { type: integer, example: 500, description: Pixels of sea around the world. }
 *         background: { type: string, nullable: true, example: '#12404a' }
 *     SurvivalMapGrid:
 *       type: object
 *       nullable: true
 *       description: Columns are A, B … Z, AA from the west, rows 0, 1 … from the north.
 *       additionalProperties: false
 *       required: [cells, cellSize]
 *       properties:
 *         cells: { type: integer, example: 29, description: Of each side. }
 *         cellSize: { type: number, example: 146.55 }
 *     SurvivalMonument:
 *       type: object
 *       additionalProperties: false
 *       required: [label, name, x, z, grid]
 *       properties:
 *         label: { type: string, example: launchsite, description: Several may share one. }
 *         name: { type: string, nullable: true, example: Launch Site }
 *         x: { type: number }
 *         z: { type: number }
 *         grid: { type: string, nullable: true, example: P14, description: Null beside the grid. }
 */
export const viewMap = (serverId: number, { image, ...map }: ShownMap) => ({
  serverId,
  ...map,
  image: image && { ...image, url: imagePath(serverId, image.hash) },
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalLiveMap:
 *       type: object
 *       additionalProperties: false
 *       required: [at, stale, gameTime, hidden, audience, layers]
 *       properties:
 *         at:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: By the clock of the game; null where nothing is known of it.
 *         stale: { type: boolean }
 *         gameTime: { type: number, nullable: true, example: 13.5, description: Hours of the game's day. }
 *         hidden: { type: boolean, description: Whether the caller is below the audience. }
 *         audience: { $ref: '#/components/schemas/Rung' }
 *         layers:
 *           type: object
 *           description: A layer that the caller does not get is absent.
 *           additionalProperties: false
 *           properties:
 *             events: { type: array, items: { $ref: '#/components/schemas/SurvivalLiveEvent' } }
 *             players: { type: array, items: { $ref: '#/components/schemas/SurvivalLivePlayer' } }
 *             bases: { type: array, items: { $ref: '#/components/schemas/SurvivalLiveBase' } }
 *     SurvivalLiveEvent:
 *       type: object
 *       additionalProperties: false
 *       required: [id, type, x, z, rotation, label, since]
 *       properties:
 *         id: { type: string, example: cargo-1 }
 *         type: { type: string, example: cargoShip }
 *         x: { type: number, description: May lie beside the world. }
 *         z: { type: number }
 *         rotation: { type: number, nullable: true, example: 90 }
 *         label: { type: string, nullable: true, example: Cargo Ship }
 *         since: { type: string, format: date-time, nullable: true }
 *     SurvivalLivePlayer:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, x, z, rotation, health, clan, sleeping, dead]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         x: { type: number }
 *         z: { type: number }
 *         rotation: { type: number, nullable: true, example: 90 }
 *         health: { type: number, nullable: true, example: 87.5 }
 *         clan: { type: string, nullable: true, example: Oak }
 *         sleeping: { type: boolean }
 *         dead: { type: boolean }
 *     SurvivalLiveBase:
 *       type: object
 *       additionalProperties: false
 *       required: [id, x, z, owner, auth, protectedUntil]
 *       properties:
 *         id: { type: string, example: tc-1 }
 *         x: { type: number }
 *         z: { type: number }
 *         owner: { type: string, nullable: true, example: '76561198012345678' }
 *         auth: { type: array, description: Who may open it., items: { $ref: '#/components/schemas/SteamId' } }
 *         protectedUntil: { type: string, format: date-time, nullable: true }
 */
export const viewLive = (live: ShownLive) => live;
