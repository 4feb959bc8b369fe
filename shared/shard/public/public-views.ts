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
 *         A house in danger of collapsing. `name` and `region` are left out for callers below
 *         their field rules.
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
 *           description: Left out for callers below its field rule.
 *         points: { type: integer }
 *     PointsBoard:
 *       type: object
 *       additionalProperties: false
 *       required: [system, nameString, nameNumber, maxPoints, players, showOnGump, top, t, updatedAt]
 *       properties:
 *         system: { type: string, description: Key of the board., example: QueensLoyalty }
 *         nameString:
 *           type: string
 *           nullable: true
 *           description: Displayed name; null if a client text or the key is the name.
 *         nameNumber:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of the client text that is the displayed name; 0 if `nameString` is.
 *         maxPoints:
 *           type: integer
 *           nullable: true
 *           description: Most points that a character can have; null for no limit.
 *         players:
 *           type: integer
 *           nullable: true
 *           description: Players on the whole board; null if the shard does not say.
 *         showOnGump: { type: boolean, description: Whether the game lists the board. }
 *         top:
 *           type: array
 *           description: The best first; the shard decides how many.
 *           items: { $ref: '#/components/schemas/PointsRank' }
 *         t:
 *           type: integer
 *           nullable: true
 *           description: 'When the shard published this state: epoch milliseconds.'
 *         updatedAt: { type: string, format: date-time }
 */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicBoard, board, maySee),
  updatedAt: board.updatedAt,
});
