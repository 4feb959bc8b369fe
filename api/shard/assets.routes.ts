import Joi from "joi";

import { limits } from "../../shared/platform/limits.ts";
import { readAssetStatus } from "../../shared/shard/assets/status.ts";
import { limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { requestAndAnswerImport } from "./answer-import.ts";
import { requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Imports" } as const;

const wait =
  "The response is sent when the job has ended. With `Prefer: respond-async`, the response is " +
  "immediately 202, with the URL of the job. If the same import is already running, the request " +
  "waits for that job. If that job was started with other values of the body's fields, the " +
  "response has the `code` `BUSY`. If the shard cannot be reached or no worker is running, the " +
  "response is 200 with the status `unavailable` and a `code`.";

export const assetsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     AssetStatus:
   *       type: object
   *       additionalProperties: false
   *       required: [loaded, shard, drift, reason, code]
   *       properties:
   *         loaded:
   *           type: object
   *           additionalProperties: false
   *           required: [assets, stored, creatures, resolved, catalog, extractorVersion, importedAt,
   *             items, land]
   *           properties:
   *             assets: { type: integer, description: 'Number of picture keys, such as `body:17`, in the loaded catalog.' }
   *             stored:
   *               type: integer
   *               description: >-
   *                 Number of keys, including keys of items, whose picture the service has.
   *             items: { type: integer, description: Number of pictures of items that the service has. }
   *             land: { type: integer, description: Number of pictures of land tiles that the service has. }
   *             creatures: { type: integer, description: Number of creature types in the atlas. }
   *             resolved:
   *               type: integer
   *               description: Number of creature types in the atlas whose body has a picture.
   *             catalog:
   *               type: string
   *               nullable: true
   *               description: Hash of the loaded catalog. Null before the first import.
   *             extractorVersion:
   *               type: integer
   *               nullable: true
   *               description: Version of the shard's program that extracted the pictures.
   *             importedAt: { type: string, format: date-time, nullable: true }
   *         shard:
   *           type: object
   *           nullable: true
   *           description: What the shard offers now. Null if the shard did not answer.
   *           additionalProperties: false
   *           required: [files, extractorVersion, hashing, complete, imaging, families]
   *           properties:
   *             files:
   *               type: integer
   *               description: Number of game client files from which the pictures are extracted.
   *             extractorVersion: { type: integer }
   *             hashing:
   *               type: boolean
   *               description: >-
   *                 Whether the shard is still hashing its files. Until the shard has finished,
   *                 pictures cannot be imported.
   *             complete:
   *               type: boolean
   *               description: Whether the shard's catalog of pictures is complete.
   *             imaging:
   *               type: object
   *               nullable: true
   *               description: >-
   *                 Whether the machine on which the shard runs can render pictures. Null if the
   *                 shard does not report it.
   *               additionalProperties: false
   *               required: [ok, code, reason]
   *               properties:
   *                 ok: { type: boolean }
   *                 code:
   *                   type: string
   *                   nullable: true
   *                   description: >-
   *                     Why the machine cannot render pictures, as a code for programs. Null if it
   *                     can.
   *                 reason:
   *                   type: string
   *                   nullable: true
   *                   description: >-
   *                     Why the machine cannot render pictures, for people. Null if it can.
   *             families:
   *               type: array
   *               description: Kinds of pictures that the shard offers.
   *               items: { type: string }
   *               example: [body, item, land]
   *         drift:
   *           type: boolean
   *           nullable: true
   *           description: >-
   *             Whether the shard's catalog differs from the loaded catalog. Null if unknown.
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Advice for the operator, in words. Null if there is no advice.
   *         code: { $ref: '#/components/schemas/AssetStatusCode' }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/assets",
    summary: "Get the state of the picture catalog",
    description:
      "Returns which pictures are loaded, and asks the shard which pictures it offers now. If " +
      "the shard does not answer, the response is still 200: `shard` is null and `code` contains " +
      "the reason.",
    answers: { 200: "AssetStatus" },
    handle: (input, context) => readAssetStatus(requestIdOf(input), context),
  }),
  /**
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
   *           description: Explanation of the status, for people. Null if there is no explanation.
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
   *         removed: { type: integer, description: Number of picture keys that were removed. Present only if the request contained `approve`. }
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
   *                 ok: { type: integer, description: Number of creature types for which the shard returned a body id (the number of the creature's picture). }
   *                 unknown: { type: integer, description: Number of creature types that the shard does not know. }
   *                 notCreature: { type: integer, description: Number of types that are not types of creatures. }
   *                 failed: { type: integer, description: Number of creature types for which the lookup failed on the shard. }
   *             reason:
   *               type: string
   *               nullable: true
   *               description: >-
   *                 Why the shard did not answer for some creature types. Null if the shard
   *                 answered for all types.
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
   *                 Pictures that operators chose for creatures but that do not exist. Null if
   *                 there are no such pictures.
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/import",
    summary: "Import the picture catalog",
    description:
      "Reads the shard's catalog of pictures, and fetches new and changed pictures of bodies and " +
      "land tiles. If the new catalog lacks pictures that are loaded now, the import changes " +
      "nothing and its status is `needsReview`. To apply the import anyway, repeat the request " +
      "with `approve`. " +
      wait,
    body: Joi.object<{ force: boolean; approve: boolean }, true>({
      force: Joi.boolean()
        .default(false)
        .description("Whether to fetch unchanged pictures again as well. Default: false."),
      approve: Joi.boolean()
        .default(false)
        .description(
          "Whether to remove the pictures that the last import with the status `needsReview` " +
            "listed as missing. If other pictures are missing now, the status is `needsReview` " +
            "again. Default: false.",
        ),
    }),
    takes: ["Prefer"],
    answers: { 200: "AssetImportResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      requestAndAnswerImport("assets", { flags: body, ...asked }, context),
  }),
  /**
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
   *           description: Explanation of the status, for people. Null if there is no explanation.
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
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/warm",
    summary: "Fetch pictures of the items on the market",
    description:
      "Fetches pictures of items on the market that the service does not have yet, at most " +
      "`limit` in one request. Pictures that the most listings need are fetched first. Each " +
      `batch of pictures is available as soon as it has arrived. ${wait}`,
    body: Joi.object<{ force: boolean; limit: number }, true>({
      force: Joi.boolean()
        .default(false)
        .description(
          "Whether to request pictures again that the shard did not have at an earlier request. " +
            "If false, the service requests these pictures again only after the shard's catalog " +
            "has changed. Default: false.",
        ),
      limit: limitField(limits.itemArt).description(
        "Maximum number of pictures to request from the shard. Default: 500.",
      ),
    }),
    takes: ["Prefer"],
    answers: { 200: "ItemArtWarmResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      requestAndAnswerImport("item-art", { flags: body, ...asked }, context),
  }),
];
