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
 *           description: Why it ended with this status; null if there is nothing to say.
 *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
 *         hash:
 *           type: string
 *           nullable: true
 *           description: SHA-256 of the picture; null if there is none.
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
 *           description: Why it ended with this status; null if there is nothing to say.
 *         code: { $ref: '#/components/schemas/SurvivalMapCode' }
 *         scale:
 *           type: number
 *           nullable: true
 *           description: >-
 *             Size of the map as a fraction of the game's own; null if none is rendered.
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
