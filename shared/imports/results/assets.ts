import type { ImportStatus } from "./codes.ts";
import type { ImportResult } from "./result.ts";

/** What became of asking the shard which bodies the atlas's creatures have. */
export interface BodyFindings {
  readonly asked: number;
  readonly answered: number;
  /** Types whose body has its picture here now. */
  readonly resolved: number;
  readonly tally: Readonly<Record<"ok" | "unknown" | "notCreature" | "failed", number>>;
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
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status, for people. Null if there is none.
 *         code: { $ref: '#/components/schemas/AssetCode' }
 *         catalog: { type: string, nullable: true, description: Hash of the shard's catalog of pictures. }
 *         extractorVersion:
 *           type: integer
 *           nullable: true
 *           description: Version of the shard's program that extracted the pictures.
 *         assets: { type: integer, nullable: true, description: Number of picture keys (such as `body:17`) in the shard's catalog. }
 *         fetched: { type: integer, nullable: true, description: Number of pictures that the shard sent. }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Number of keys whose stored picture changed.
 *         absent:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of keys for which the shard has no picture. Such keys are not an error.
 *         unsupported:
 *           type: integer
 *           nullable: true
 *           description: Number of keys whose kind of picture the shard does not offer.
 *         removed: { type: integer, description: Number of keys that were removed. Present only if the request contained `approve`. }
 *         scanned:
 *           type: integer
 *           nullable: true
 *           description: Number of keys that were read from the shard's catalog.
 *         pages:
 *           type: integer
 *           nullable: true
 *           description: Number of pages that were read from the shard's catalog.
 *         playerBodies:
 *           type: array
 *           description: Body ids (graphic ids) that player characters have.
 *           items: { type: integer }
 *         vanished:
 *           type: array
 *           description: >-
 *             Loaded keys that the shard's catalog no longer contains, at most 50. Present only if
 *             the status is `needsReview`.
 *           maxItems: 50
 *           items: { type: string, example: 'body:17' }
 *         vanishedCount:
 *           type: integer
 *           description: >-
 *             Number of all loaded keys that the shard's catalog no longer contains. Present only
 *             if the status is `needsReview`.
 *         bodies:
 *           type: object
 *           description: >-
 *             Result of looking up the bodies (graphic ids) of the atlas creatures on the shard.
 *           additionalProperties: false
 *           required: [asked, answered, resolved, tally, reason]
 *           properties:
 *             asked: { type: integer, description: Number of creature types that were looked up. }
 *             answered: { type: integer, description: Number of creature types for which the shard sent an answer. }
 *             resolved: { type: integer, description: Number of creature types whose body has a picture now. }
 *             tally:
 *               type: object
 *               description: Number of creature types for each status that the shard returned.
 *               additionalProperties: false
 *               required: [ok, unknown, notCreature, failed]
 *               properties:
 *                 ok: { type: integer, description: Number of creature types whose body the shard knows. }
 *                 unknown: { type: integer, description: Number of creature types that the shard does not know. }
 *                 notCreature: { type: integer, description: Number of types that are not types of creatures. }
 *                 failed: { type: integer, description: Number of creature types for which the lookup failed on the shard. }
 *             reason:
 *               type: string
 *               nullable: true
 *               description: >-
 *                 Why the shard did not answer for some creature types. Null if it answered for
 *                 all.
 *         art:
 *           type: object
 *           description: Result of assigning pictures to creatures.
 *           additionalProperties: false
 *           required: [applied, derived, operator, error]
 *           properties:
 *             applied:
 *               type: integer
 *               description: Number of creatures whose picture changed.
 *             derived:
 *               type: integer
 *               description: Number of creatures that have the picture of their body.
 *             operator:
 *               type: integer
 *               description: >-
 *                 Number of creatures that have a picture chosen by an operator. Imports do not
 *                 change such a picture.
 *             error:
 *               type: string
 *               nullable: true
 *               description: >-
 *                 Pictures that operators chose for creatures but that do not exist. Null if there
 *                 are none.
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
 *         reason:
 *           type: string
 *           nullable: true
 *           description: Explanation of the status, for people. Null if there is none.
 *         code: { $ref: '#/components/schemas/ItemArtCode' }
 *         catalog: { type: string, nullable: true, description: Hash of the shard's catalog of pictures. }
 *         wanted:
 *           type: integer
 *           nullable: true
 *           description: Number of different pictures that the listings on the market need.
 *         held:
 *           type: integer
 *           nullable: true
 *           description: Number of the pictures in `wanted` that the service already had.
 *         asked:
 *           type: integer
 *           nullable: true
 *           description: Number of pictures that were requested from the shard, at most `limit`.
 *         fetched: { type: integer, nullable: true, description: Number of pictures that the shard sent. }
 *         written:
 *           type: integer
 *           nullable: true
 *           description: Number of keys whose stored picture changed.
 *         absent:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of keys for which the shard has no picture. Such keys are not an error.
 *         unsupported:
 *           type: integer
 *           nullable: true
 *           description: Number of keys whose kind of picture the shard does not offer.
 *         remaining:
 *           type: integer
 *           nullable: true
 *           description: Number of the pictures in `wanted` that are still missing.
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
