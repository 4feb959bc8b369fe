import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { approvePendingAtlas, rejectPendingAtlas } from "../../shared/shard/atlas/import/review.ts";
import { readAtlasStatus } from "../../shared/shard/atlas/import/status.ts";
import type { ApiContext } from "../context.ts";
import { defineRoute } from "../http/route.ts";
import { answerRequestedImport, requestAndAnswerImport } from "./answer-import.ts";
import { importPathBody } from "./import-path.ts";

const forced = Joi.object<{ force?: boolean }, true>({
  force: Joi.boolean().description(
    "Whether to import the source even if it has not changed. Default: false.",
  ),
});

const wait =
  "The response is sent when the job has ended. With `Prefer: respond-async`, the response is " +
  "immediately 202, with the URL of the job. If the source cannot be read, or no worker is " +
  "running, the response is 200 with the status `unavailable` and a `code`.";

/**
 * The revision check of the pending refresh. A `stale_revision` refusal contains the refresh that is pending now.
 */
const based = {
  when: "optional",
  as: "hash",
  shownAs: "`revision` of `pending`",
  current: async (_input: object, context: ApiContext) => (await readAtlasStatus(context)).pending,
} as const;

export const atlasImportRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     AtlasStatus:
   *       type: object
   *       additionalProperties: false
   *       required: [source, path, readable, problem, code, drift, loaded, counts, tree, pending]
   *       properties:
   *         source: { $ref: '#/components/schemas/AtlasSource' }
   *         path:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Path of the directory tree that is the source. Null if the shard is the source.
   *         readable: { type: boolean, description: Whether the source of the atlas can be read now. }
   *         problem:
   *           type: string
   *           nullable: true
   *           description: Why the source cannot be read, for people. Null if it can.
   *         code: { $ref: '#/components/schemas/AtlasCode' }
   *         drift:
   *           type: boolean
   *           nullable: true
   *           description: >-
   *             Whether the source differs from the loaded atlas. Null if the source cannot be read.
   *         loaded:
   *           type: object
   *           additionalProperties: false
   *           required: [facets, regions, spawners, creatures, importedAt, sources]
   *           properties:
   *             facets: { type: integer }
   *             regions: { type: integer }
   *             spawners: { type: integer }
   *             creatures: { type: integer, description: Number of creature types. }
   *             importedAt: { type: string, format: date-time, nullable: true }
   *             sources: { type: array, items: { $ref: '#/components/schemas/SourceStamp' } }
   *         counts: { $ref: '#/components/schemas/AtlasCounts' }
   *         tree: { $ref: '#/components/schemas/AtlasTree' }
   *         pending:
   *           type: object
   *           nullable: true
   *           description: >-
   *             The refresh that waits for review because it would remove a facet. Null if no
   *             refresh waits.
   *           additionalProperties: false
   *           required: [status, removedFacets, addedFacets, counts, stagedAt, revision]
   *           properties:
   *             status: { type: string, enum: [pending, rejected] }
   *             removedFacets: { type: array, items: { type: string } }
   *             addedFacets: { type: array, items: { type: string } }
   *             counts: { $ref: '#/components/schemas/AtlasCounts' }
   *             stagedAt: { type: string, format: date-time }
   *             revision: { $ref: '#/components/schemas/Revision' }
   *     SourceStamp:
   *       type: object
   *       additionalProperties: false
   *       required: [path, size, sha256]
   *       properties:
   *         path: { type: string, description: Path of the file or directory within the source. }
   *         size: { type: integer, description: Size of the file in bytes. }
   *         sha256: { type: string }
   *     AtlasTree:
   *       type: object
   *       nullable: true
   *       description: >-
   *         The part of the directory tree that an import reads. Null if the shard is the source, or
   *         if the tree cannot be read.
   *       additionalProperties: false
   *       required: [kind, era, folders, leftOut]
   *       properties:
   *         kind: { $ref: '#/components/schemas/TreeKind' }
   *         era:
   *           type: string
   *           nullable: true
   *           description: Game era whose spawns are read from a ModernUO tree. Null for other trees.
   *         folders:
   *           type: array
   *           description: Folders from which spawn files are read.
   *           items: { type: string }
   *         leftOut:
   *           type: array
   *           description: >-
   *             Folders whose spawn files are not read because they describe another version of the
   *             world.
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [path, files]
   *             properties:
   *               path: { type: string }
   *               files: { type: integer, description: Number of spawn files in the folder. }
   *     AtlasCounts:
   *       type: object
   *       nullable: true
   *       description: Counts of what the atlas contains. Null if nothing was read.
   *       additionalProperties: false
   *       required: [facets, regions, rects, spawners, entries, creatures, files, skipped, warnings, perFacet]
   *       properties:
   *         facets: { type: integer }
   *         regions: { type: integer }
   *         rects: { type: integer, description: Number of boxes in all regions. }
   *         spawners: { type: integer }
   *         entries: { type: integer, description: Number of creature entries in all spawners. }
   *         creatures:
   *           type: integer
   *           description: >-
   *             Number of different creature types. Types that differ only in case count as the same
   *             type.
   *         files: { type: integer }
   *         skipped: { type: integer, description: Number of files and records that the import left out. }
   *         skippedBy:
   *           type: object
   *           description: >-
   *             Number of files and records that the import left out, for each reason. Reasons that
   *             did not occur are absent.
   *           additionalProperties: false
   *           properties:
   *             noFacet:
   *               type: integer
   *               description: >-
   *                 Number of records without a facet, or on the internal facet, on which the game
   *                 keeps characters that are not in the game.
   *             noPosition:
   *               type: integer
   *               description: >-
   *                 Number of records whose position is missing or is not in whole numbers.
   *             outsideMap:
   *               type: integer
   *               description: Number of spawners that are outside the map of their facet.
   *               example: 1
   *             notARecord:
   *               type: integer
   *               description: Number of entries that are neither a region nor a spawner.
   *             emptyFile: { type: integer, description: Number of files without content. }
   *             otherFormat: { type: integer, description: Number of spawn files in an unknown format. }
   *         skippedExamples:
   *           type: object
   *           description: >-
   *             The first five records that were left out for each reason, with file and position.
   *             Absent if nothing was left out.
   *           additionalProperties: false
   *           properties:
   *             outsideMap: { type: array, items: { type: string, example: 'Spawns/felucca.xml: Felucca 9000, 10' } }
   *         warnings: { type: integer, description: Number of irregularities in records that the import read. }
   *         regionSpawns:
   *           type: integer
   *           description: >-
   *             Number of spawns that belong to a region and have no position. The import does not
   *             read these spawns.
   *         perFacet:
   *           type: object
   *           description: The counts for each facet.
   *           additionalProperties:
   *             type: object
   *             properties:
   *               regions: { type: integer }
   *               rects: { type: integer }
   *               spawners: { type: integer }
   *               entries: { type: integer }
   *               total: { type: integer, description: Number of creatures that can be alive at the same time. }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/shard/atlas",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Get the state of the spawn atlas",
    description:
      "Returns the loaded atlas's counts, the state of its source, and the refresh that waits " +
      "for review, if there is one. To find the state of the source, the operation reads the " +
      "source: a local directory tree, or the shard's list of files. If the source cannot be " +
      "read, the response is still 200: `readable` is false and `code` contains the reason.",
    answers: { 200: "AtlasStatus" },
    handle: (_input, context) => readAtlasStatus(context),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/admin/shard/atlas/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the path of the files of the atlas",
    description:
      "Stores the path of the directory tree of a game server, from which the atlas is imported, " +
      "and returns the state of the atlas. The path takes precedence over the environment " +
      "variable `ATLAS_PATH`. If both are empty, the atlas is imported from the linked shard. " +
      "This operation itself imports nothing. The activity log records the change as " +
      "`import.atlas.path_changed`.",
    body: importPathBody,
    answers: { 200: "AtlasStatus" },
    handle: async ({ body, caller }, context) => {
      await writeImportPath("atlas", body.path, caller, context);
      return readAtlasStatus(context);
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     AtlasRefreshResult:
   *       type: object
   *       additionalProperties: false
   *       required: [status, reason, path, code, counts, addedFacets, removedFacets]
   *       properties:
   *         status: { $ref: '#/components/schemas/AtlasEnd' }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Explanation of the status, for people. Null if there is no explanation.
   *         source: { $ref: '#/components/schemas/AtlasSourceOrNull' }
   *         path:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Path of the directory tree that is the source. Null if the shard is the source.
   *         code: { $ref: '#/components/schemas/AtlasCode' }
   *         counts: { $ref: '#/components/schemas/AtlasCounts' }
   *         addedFacets:
   *           type: array
   *           description: Facets that the source contains but the loaded atlas does not.
   *           items: { type: string }
   *         removedFacets:
   *           type: array
   *           description: Facets that the loaded atlas contains but the source does not.
   *           items: { type: string }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/admin/shard/atlas/import",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Import the spawn atlas",
    description:
      "Reads the source and replaces the loaded atlas. If the refresh would remove a facet, it " +
      "changes nothing and its status is `needsReview`: it waits for `POST " +
      "/admin/shard/atlas/approve` or `POST /admin/shard/atlas/reject`. The status is " +
      "`unchanged` if the source has not changed since the last import, and `rejected` if an " +
      `administrator rejected this state of the source. ${wait}`,
    body: forced,
    takes: ["Prefer"],
    answers: { 200: "AtlasRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      requestAndAnswerImport("atlas", { ...asked, flags: body }, context),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/shard/atlas/approve",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Approve the refresh that waits for review",
    description:
      "Reads the source again and applies the refresh: it also removes the facets that the " +
      "refresh listed for review. If the refresh would now remove another facet, or if the " +
      "request contains `basedOn` and the source has changed, the refresh waits for review again " +
      "and the status is `needsReview`. If no refresh waits for review, the status is `none`. " +
      wait,
    basedOn: based,
    takes: ["Prefer"],
    answers: { 200: "AtlasRefreshResult", 202: "AcceptedJob" },
    handle: async (input, context) =>
      answerRequestedImport(
        "atlas",
        await approvePendingAtlas(input.caller, context),
        input,
        context,
      ),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/shard/atlas/reject",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Reject the refresh that waits for review",
    description:
      "Rejects the refresh, leaves the atlas unchanged and returns the refresh. From then on, " +
      "imports have the status `rejected` until the source changes. 404 `not_found` if no " +
      "refresh waits for review. The activity log records the request as `import.atlas.rejected`.",
    basedOn: based,
    answers: { 200: "AtlasRefreshResult", 404: "Error" },
    handle: ({ caller }, context) => rejectPendingAtlas(caller, context),
  }),
];
