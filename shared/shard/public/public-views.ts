import { isIdoc, publicHouse } from "../kinds/houses.ts";
import { publicBoard } from "../kinds/points.ts";
import { type Fields, type MaySeeField, show } from "../values/view.ts";

/**
 * The public part of a ShardHouse, by the same view as on the stream; gated fields are left out.
 *
 * @openapi
 * components:
 *   schemas:
 *     PublicHouse:
 *       type: object
 *       description: >-
 *         A house in danger of collapsing. `name` and `region` are absent for callers below the
 *         audience that their field rules set.
 *       additionalProperties: false
 *       required: [serial, stage, map, x, y, z, isIdoc, updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x40012B00' }
 *         stage: { $ref: '#/components/schemas/DecayStage' }
 *         map: { $ref: '#/components/schemas/FacetName' }
 *         x: { $ref: '#/components/schemas/Coordinate' }
 *         y: { $ref: '#/components/schemas/Coordinate' }
 *         z: { $ref: '#/components/schemas/Coordinate' }
 *         region: { $ref: '#/components/schemas/RegionName' }
 *         name: { type: string, nullable: true }
 *         isIdoc: { type: boolean, description: Always true in this list. }
 *         updatedAt: { type: string, format: date-time }
 */
export const viewPublicHouse = (
  house: { readonly stage: string; readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicHouse, house, maySee),
  isIdoc: isIdoc(house),
  updatedAt: house.updatedAt,
});

/**
 * A PointsBoard by the same view as on the stream; gated names are left out of its ranks.
 *
 * @openapi
 * components:
 *   schemas:
 *     PointsRank:
 *       type: object
 *       additionalProperties: false
 *       required: [rank, serial, points]
 *       properties:
 *         rank: { type: integer }
 *         serial: { type: string }
 *         name:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Name of the character. Absent for callers below the audience of the field rule
 *             `name`.
 *         points: { type: integer }
 *     PointsBoard:
 *       type: object
 *       additionalProperties: false
 *       required: [system, nameString, nameNumber, maxPoints, players, showOnGump, top, t, updatedAt]
 *       properties:
 *         system: { type: string, description: Key of the points board., example: QueensLoyalty }
 *         nameString:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Displayed name of the board. If null, the displayed name is the client text with the
 *             number `nameNumber` or, if `nameNumber` is null as well, the key `system`.
 *         nameNumber:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of the client text (cliloc) that is the displayed name of the board. 0 if the
 *             displayed name is `nameString`. Null if the board has neither.
 *         maxPoints:
 *           type: integer
 *           nullable: true
 *           description: Maximum points that a character can have. Null if there is no limit.
 *         players:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of players who have points, including players that `top` does not list. Null
 *             if the shard does not report it.
 *         showOnGump: { type: boolean, description: Whether the game shows the board in its own list of boards. }
 *         top:
 *           type: array
 *           description: >-
 *             Ranks of the board, best rank first. The shard decides how many ranks it publishes.
 *           items: { $ref: '#/components/schemas/PointsRank' }
 *         t:
 *           type: integer
 *           nullable: true
 *           description: When the shard published this state of the board, in epoch milliseconds.
 *         updatedAt: { type: string, format: date-time }
 */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicBoard, board, maySee),
  updatedAt: board.updatedAt,
});
