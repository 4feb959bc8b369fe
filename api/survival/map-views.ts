import type { VisibleLiveMap } from "../../shared/survival/map/live-maps.ts";
import type { VisibleMap } from "../../shared/survival/map/read-map.ts";

/** Returns the path of a picture. The path contains the hash of the picture, so its content never changes. */
export const buildMapImagePath = (serverId: number, hash: string): string =>
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
 *           description: >-
 *             Length of each side of the world in meters. The center of the map is 0, 0; `x`
 *             increases to the east, `z` to the north. Null before the server's first report.
 *         seed:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Seed of the map. Null if the seed is unknown or if the site hides the seed.
 *         image: { $ref: '#/components/schemas/SurvivalMapImage' }
 *         grid: { $ref: '#/components/schemas/SurvivalMapGrid' }
 *         monuments:
 *           type: array
 *           description: >-
 *             Monuments on the map whose label is not hidden. Empty for callers below the audience
 *             of the layer `world`.
 *           items: { $ref: '#/components/schemas/SurvivalMonument' }
 *         layers:
 *           type: object
 *           description: Which layers of the live map the caller may see.
 *           additionalProperties: false
 *           required: [world, events, players, bases]
 *           properties:
 *             world: { type: boolean }
 *             events: { type: boolean }
 *             players: { type: boolean }
 *             bases: { type: boolean }
 *         live: { type: boolean, description: Whether the caller may use the live map. }
 *     SurvivalMapImage:
 *       type: object
 *       nullable: true
 *       description: >
 *         The image of the current world, north at the top. With `k = (width - 2 * oceanMargin) /
 *         worldSize`, the point `x, z` of the world is at the pixel `(x + worldSize / 2) * k +
 *         oceanMargin` from the left and `height - ((z + worldSize / 2) * k + oceanMargin)` from
 *         the top.
 *       additionalProperties: false
 *       required: [hash, url, width, height, oceanMargin, background]
 *       properties:
 *         hash: { type: string, description: 'SHA-256 of the image, in hexadecimal.' }
 *         url:
 *           type: string
 *           example: '/api/v1/public/survival/servers/3/map/image?hash=0a0a'
 *           description: URL path of the image. The image at this path never changes.
 *         width: { type: integer, example: 1536, description: Width of the image in pixels. }
 *         height: { type: integer, example: 1536, description: Height of the image in pixels. }
 *         oceanMargin:
 *           type: integer
 *           example: 500
 *           description: Width of the sea around the world, in pixels of the image.
 *         background:
 *           type: string
 *           nullable: true
 *           example: '#12404a'
 *           description: Background color of the image.
 *     SurvivalMapGrid:
 *       type: object
 *       nullable: true
 *       description: >-
 *         The game's grid over the map. Columns are named A, B … Z, AA … from west to east, rows 0,
 *         1 … from north to south. Null while the size of the world is unknown.
 *       additionalProperties: false
 *       required: [cells, cellSize]
 *       properties:
 *         cells: { type: integer, example: 29, description: 'Number of columns, which is also the number of rows.' }
 *         cellSize: { type: number, example: 146.55, description: Length of each side of a cell in meters. }
 *     SurvivalMonument:
 *       type: object
 *       additionalProperties: false
 *       required: [label, name, x, z, grid]
 *       properties:
 *         label:
 *           type: string
 *           example: launchsite
 *           description: >-
 *             Label (type) of the monument. A map may have several monuments with the same label.
 *         name: { type: string, nullable: true, example: Launch Site }
 *         x: { type: number }
 *         z: { type: number }
 *         grid:
 *           type: string
 *           nullable: true
 *           example: P14
 *           description: >-
 *             Cell of the grid in which the monument is. Null if the monument is outside the grid.
 */
export const viewMap = (serverId: number, { image, ...map }: VisibleMap) => ({
  serverId,
  ...map,
  image: image && { ...image, url: buildMapImagePath(serverId, image.hash) },
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
 *           description: >-
 *             Time of the positions by the game server's clock. Null if there are no positions.
 *         stale:
 *           type: boolean
 *           description: >-
 *             Whether the positions are stale: the server is offline or has not reported for 15
 *             seconds.
 *         gameTime:
 *           type: number
 *           nullable: true
 *           example: 13.5
 *           description: Time of day in the game, in hours. Null while unknown.
 *         hidden: { type: boolean, description: Whether the layers are hidden from the caller because the caller is below `audience`. }
 *         audience: { $ref: '#/components/schemas/Rung' }
 *         layers:
 *           type: object
 *           description: Positions, by layer. Layers that the caller may not see are absent.
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
 *         type:
 *           type: string
 *           example: cargoShip
 *           description: >-
 *             Type of the game event, as the game reports it. `zone` for an open zone, `boss` for a
 *             living boss.
 *         x: { type: number, description: 'Coordinate to the east of the center, in meters. The point may be outside the world.' }
 *         z: { type: number }
 *         rotation: { type: number, nullable: true, example: 90, description: Direction in degrees. Null while unknown. }
 *         label: { type: string, nullable: true, example: Cargo Ship }
 *         since:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the game event appeared. Null while unknown.
 *     SurvivalLivePlayer:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, x, z, rotation, health, clan, sleeping, dead]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         x: { type: number }
 *         z: { type: number }
 *         rotation: { type: number, nullable: true, example: 90, description: Direction in degrees. Null while unknown. }
 *         health: { type: number, nullable: true, example: 87.5 }
 *         clan: { type: string, nullable: true, example: Oak }
 *         sleeping:
 *           type: boolean
 *           description: >-
 *             Whether the player has disconnected and the character is asleep in the world.
 *         dead: { type: boolean }
 *     SurvivalLiveBase:
 *       type: object
 *       additionalProperties: false
 *       required: [id, x, z, owner, auth, protectedUntil]
 *       properties:
 *         id: { type: string, example: tc-1 }
 *         x: { type: number }
 *         z: { type: number }
 *         owner:
 *           type: string
 *           nullable: true
 *           example: '76561198012345678'
 *           description: >-
 *             SteamID64 of the player who built the base. Null if the base was not built by a
 *             player.
 *         auth:
 *           type: array
 *           description: SteamID64s of the players who are authorized in the base.
 *           items: { $ref: '#/components/schemas/SteamId' }
 *         protectedUntil:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Time until which upkeep protects the base from decay.
 */
export const viewLiveMap = (live: VisibleLiveMap) => live;
