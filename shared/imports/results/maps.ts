import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";

/**
 * What came of fetching the picture of a survival server's world.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalMapFetched:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, hash]
 *       properties:
 *         status: { $ref: '#/components/schemas/SurvivalMapEnd' }
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status, for people. Null if there is none.
 *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
 *         hash:
 *           type: string
 *           nullable: true
 *           description: SHA-256 of the map image. Null if there is no image.
 */
export interface MapResult extends ImportResult {
  readonly status: ImportStatus<"map">;
  readonly hash: string | null;
}

export const blankMapResult = {
  reason: null,
  code: null,
  hash: null,
} as const satisfies Omit<MapResult, "status">;

/**
 * What came of having a survival server draw its map anew.
 *
 * @openapi
 * components:
 *   schemas:
 *     SurvivalMapRender:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, scale]
 *       properties:
 *         status: { $ref: '#/components/schemas/SurvivalMapRenderEnd' }
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status, for people. Null if there is none.
 *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
 *         scale:
 *           type: number
 *           nullable: true
 *           description: >-
 *             Number of pixels in the image for each meter of the world. Null if no image is
 *             rendered.
 *           example: 0.5
 */
export interface MapRenderResult extends ImportResult {
  readonly status: ImportStatus<"map-render">;
  readonly scale: number | null;
}

export const blankMapRender = {
  reason: null,
  code: null,
  scale: null,
} as const satisfies Omit<MapRenderResult, "status">;
