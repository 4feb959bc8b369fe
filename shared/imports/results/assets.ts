import type { BodyAnswer } from "../../shard/calls/body-calls.ts";
import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";

/** What became of asking the shard which bodies the atlas's creatures have. */
export interface BodyFindings {
  readonly asked: number;
  readonly answered: number;
  /** Types whose body has its picture here now. */
  readonly resolved: number;
  readonly tally: Readonly<Record<BodyAnswer["status"], number>>;
  /** Why not all were answered. */
  readonly reason: string | null;
}

/** Which creatures show which picture. */
export interface ArtFindings {
  /** Creatures that show another derived picture than before. */
  readonly applied: number;
  /** Creatures with a picture that follows from their body. */
  readonly derived: number;
  /** Creatures with a picture that an operator chose; no import changes it. */
  readonly operator: number;
  /** Which choices of operators have no picture. */
  readonly error: string | null;
}

/**
 * AssetImportResult; what is printed "only with" or "on" something is absent elsewhere.
 *
 * @openapi
 * components:
 *   schemas:
 *     AssetImportResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, catalog, extractorVersion, assets, fetched, written, absent,
 *         unsupported, scanned, pages, playerBodies, bodies, art]
 *       properties:
 *         status: { $ref: '#/components/schemas/AssetEnd' }
 *         reason: { type: string, nullable: true }
 *         code: { $ref: '#/components/schemas/AssetCode' }
 *         catalog: { type: string, nullable: true }
 *         extractorVersion: { type: integer, nullable: true }
 *         assets: { type: integer, nullable: true, description: Keys of the catalogue. }
 *         fetched: { type: integer, nullable: true, description: Pictures that came. }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Keys that show another picture than before.
 *         absent: { type: integer, nullable: true, description: Keys without art. }
 *         unsupported: { type: integer, nullable: true, description: Keys the shard does not serve. }
 *         removed: { type: integer, description: Only with `approve`. }
 *         scanned: { type: integer, nullable: true }
 *         pages: { type: integer, nullable: true }
 *         playerBodies: { type: array, items: { type: integer } }
 *         vanished:
 *           type: array
 *           maxItems: 50
 *           items: { type: string, example: 'body:17' }
 *           description: Only on `needsReview`.
 *         vanishedCount: { type: integer, description: Only on `needsReview`. }
 *         bodies:
 *           type: object
 *           additionalProperties: false
 *           required: [asked, answered, resolved, tally, reason]
 *           properties:
 *             asked: { type: integer, description: Types of creatures. }
 *             answered: { type: integer }
 *             resolved: { type: integer, description: Those whose body has a picture now. }
 *             tally:
 *               type: object
 *               additionalProperties: false
 *               required: [ok, unknown, notCreature, failed]
 *               properties:
 *                 ok: { type: integer }
 *                 unknown: { type: integer }
 *                 notCreature: { type: integer }
 *                 failed: { type: integer }
 *             reason: { type: string, nullable: true }
 *         art:
 *           type: object
 *           additionalProperties: false
 *           required: [applied, derived, operator, error]
 *           properties:
 *             applied: { type: integer, description: Creatures that show another picture now. }
 *             derived: { type: integer, description: Creatures shown by the picture of their body. }
 *             operator: { type: integer, description: Creatures whose picture an operator chose. }
 *             error: { type: string, nullable: true }
 */
export interface AssetResult extends ImportResult {
  readonly status: ImportStatus<"assets">;
  readonly catalog: string | null;
  readonly extractorVersion: number | null;
  /** Keys of the catalogue. */
  readonly assets: number | null;
  /** Pictures that came. */
  readonly fetched: number | null;
  /** Keys that show another picture than before. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  readonly removed?: number;
  readonly scanned: number | null;
  readonly pages: number | null;
  readonly playerBodies: readonly number[];
  readonly vanished?: readonly string[];
  readonly vanishedCount?: number;
  readonly bodies: BodyFindings;
  readonly art: ArtFindings;
}

export const noBodies: BodyFindings = {
  asked: 0,
  answered: 0,
  resolved: 0,
  tally: { ok: 0, unknown: 0, notCreature: 0, failed: 0 },
  reason: null,
};

/** Every field of the result without its value. */
export const blankAssetResult = {
  reason: null,
  code: null,
  catalog: null,
  extractorVersion: null,
  assets: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  scanned: null,
  pages: null,
  playerBodies: [],
  bodies: noBodies,
  art: { applied: 0, derived: 0, operator: 0, error: null },
} as const satisfies Omit<AssetResult, "status">;

/**
 * ItemArtWarmResult.
 *
 * @openapi
 * components:
 *   schemas:
 *     ItemArtWarmResult:
 *       type: object
 *       additionalProperties: false
 *       required: [status, reason, code, catalog, wanted, held, asked, fetched, written, absent,
 *         unsupported, remaining]
 *       properties:
 *         status: { $ref: '#/components/schemas/ItemArtEnd' }
 *         reason: { type: string, nullable: true }
 *         code: { $ref: '#/components/schemas/ItemArtCode' }
 *         catalog: { type: string, nullable: true }
 *         wanted: { type: integer, nullable: true, description: Pictures that listings show. }
 *         held: { type: integer, nullable: true, description: Those that were held before. }
 *         asked: { type: integer, nullable: true }
 *         fetched: { type: integer, nullable: true }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Keys that show another picture than before.
 *         absent: { type: integer, nullable: true, description: Keys without art. }
 *         unsupported: { type: integer, nullable: true, description: Keys the shard does not serve. }
 *         remaining: { type: integer, nullable: true, description: Those still to be asked for. }
 */
export interface ItemArtResult extends ImportResult {
  readonly status: ImportStatus<"item-art">;
  readonly catalog: string | null;
  /** Different pictures that the market's listings show. */
  readonly wanted: number | null;
  /** Those that were here before. */
  readonly held: number | null;
  readonly asked: number | null;
  readonly fetched: number | null;
  /** Keys that show another picture than before. */
  readonly written: number | null;
  readonly absent: number | null;
  readonly unsupported: number | null;
  /** Those still to be asked for. */
  readonly remaining: number | null;
}

export const blankItemArtResult = {
  reason: null,
  code: null,
  catalog: null,
  wanted: null,
  held: null,
  asked: null,
  fetched: null,
  written: null,
  absent: null,
  unsupported: null,
  remaining: null,
} as const satisfies Omit<ItemArtResult, "status">;
