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
 *         isIdoc: { type: boolean }
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
 *         name: { type: string, nullable: true, description: Left out where names are gated. }
 *         points: { type: integer }
 *     PointsBoard:
 *       type: object
 *       additionalProperties: false
 *       required: [system, nameString, nameNumber, maxPoints, players, showOnGump, top, t, updatedAt]
 *       properties:
 *         system: { type: string, example: QueensLoyalty }
 *         nameString: { type: string, nullable: true }
 *         nameNumber: { type: integer, nullable: true, description: 0 when the name is literal. }
 *         maxPoints: { type: integer, nullable: true }
 *         players: { type: integer, nullable: true }
 *         showOnGump: { type: boolean }
 *         top: { type: array, items: { $ref: '#/components/schemas/PointsRank' } }
 *         t: { type: integer, nullable: true, description: Epoch milliseconds. }
 *         updatedAt: { type: string, format: date-time }
 */
export const viewPointsBoard = (
  board: { readonly updatedAt: Date },
  maySee: MaySeeField,
): Fields => ({
  ...show(publicBoard, board, maySee),
  updatedAt: board.updatedAt,
});
