import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { readClilocStatus } from "../../shared/shard/clilocs/status.ts";
import { defineRoute } from "../http/route.ts";
import { requestAndAnswerImport } from "./answer-import.ts";
import { importPathBody } from "./import-path.ts";

export const clilocsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ClilocStatus:
   *       type: object
   *       additionalProperties: false
   *       required: [source, configured, path, file, fileReadable, problem, code, shard, drift, count, sources, loadedSources, missingSources, importedAt, sourceBytes]
   *       properties:
   *         source: { $ref: '#/components/schemas/ClilocSource' }
   *         configured:
   *           type: boolean
   *           description: >-
   *             Whether a source is configured: either a path, or a link to the shard that is turned
   *             on.
   *         path: { type: string, description: Configured path of the client's texts. Empty if no path is configured. }
   *         file:
   *           type: string
   *           nullable: true
   *           description: >-
   *             File of the game client that was found at the path. Null if no file was found.
   *         fileReadable: { type: boolean }
   *         problem:
   *           type: string
   *           nullable: true
   *           description: Why the source cannot be read, for people. Null if it can.
   *         code: { $ref: '#/components/schemas/ClilocStatusCode' }
   *         shard:
   *           type: object
   *           nullable: true
   *           description: >-
   *             The shard's own file of texts. Null while the link is off or the shard cannot be
   *             read.
   *           additionalProperties: false
   *           required: [size, mtime, sha256, extractorVersion, hashing, complete]
   *           properties:
   *             size: { type: integer, description: Size of the file in bytes. }
   *             mtime: { type: integer, description: 'When the file was last modified, in epoch milliseconds.' }
   *             sha256:
   *               type: string
   *               nullable: true
   *               description: SHA-256 of the file. Null until the shard has hashed the file.
   *             extractorVersion: { type: integer }
   *             hashing:
   *               type: boolean
   *               description: >-
   *                 Whether the shard is still hashing the file. Until the shard has finished,
   *                 texts cannot be imported.
   *             complete: { type: boolean, description: Whether the shard has read all texts of the file. }
   *         drift:
   *           type: boolean
   *           nullable: true
   *           description: >-
   *             Whether the source differs from the loaded texts. Null if the source cannot be read.
   *         count: { type: integer, description: Number of loaded texts. }
   *         sources:
   *           type: array
   *           description: >-
   *             Files of the source, in the order in which an import merges them: first the base
   *             file, then the overlays. If the shard is the source, the list contains `shard`.
   *           items: { type: string }
   *         loadedSources:
   *           type: array
   *           nullable: true
   *           description: >-
   *             Files, or the shard, from which the last import read texts. Null before the first
   *             import.
   *           items: { $ref: '#/components/schemas/LoadedClilocSource' }
   *         missingSources:
   *           type: array
   *           description: Files from which texts are loaded but which are no longer in the source.
   *           items: { type: string }
   *         importedAt: { type: string, format: date-time, nullable: true }
   *         sourceBytes:
   *           type: integer
   *           nullable: true
   *           description: Size of the loaded source in bytes.
   *     LoadedClilocSource:
   *       type: object
   *       additionalProperties: false
   *       required: [label, kind, entries, added, overrode]
   *       properties:
   *         label:
   *           type: string
   *           description: >-
   *             Path of the file within the configured directory. `shard` if the texts come from the
   *             shard.
   *           example: custom/shop.csv
   *         kind: { type: string, enum: [shard, base, custom] }
   *         entries: { type: integer, description: 'Number of texts in this file or, with `shard`, from the shard.' }
   *         added: { type: integer, description: Number of texts in this file that no earlier file in the list contains. }
   *         overrode: { type: integer, description: Number of texts in this file that replace texts of earlier files in the list. }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/shard/clilocs",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Get the state of the client's texts (clilocs)",
    description:
      "Returns the number of loaded texts and the state of their source. To find the state of " +
      "the source, the operation reads the source: local files, or the shard's report about its " +
      "texts. If the source cannot be read, the response is still 200: `problem` and `code` " +
      "contain the reason.",
    answers: { 200: "ClilocStatus" },
    handle: (_input, context) => readClilocStatus(context),
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/admin/shard/clilocs/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the path of the client's texts (clilocs)",
    description:
      "Stores the path of the game client's file `Cliloc.enu`, or of the directory that contains " +
      "it. Imports also read overlays (files that add or replace texts) from the subdirectory " +
      "`custom` of this directory. The path takes precedence over the environment variable " +
      "`CLILOC_PATH`. Imports read files only while the link to the shard is off. This operation " +
      "itself imports nothing. The activity log records the change as " +
      "`import.clilocs.path_changed`.",
    body: importPathBody,
    answers: { 200: "ClilocStatus" },
    handle: async ({ body, caller }, context) => {
      await writeImportPath("clilocs", body.path, caller, context);
      return readClilocStatus(context);
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     ClilocRefreshResult:
   *       type: object
   *       additionalProperties: false
   *       required: [status, reason, source, code, path, file, count, parsed, blank, overlayProblem, sources]
   *       properties:
   *         status: { $ref: '#/components/schemas/ClilocEnd' }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Explanation of the status, for people. Null if there is no explanation.
   *         source: { $ref: '#/components/schemas/ClilocSourceOrNull' }
   *         code: { $ref: '#/components/schemas/ClilocCode' }
   *         path:
   *           type: string
   *           nullable: true
   *           description: Configured path of the client's texts. Null if the shard is the source.
   *         file:
   *           type: string
   *           nullable: true
   *           description: >-
   *             File of the game client that was found at the path. Null if no file was found.
   *         count:
   *           type: integer
   *           nullable: true
   *           description: Number of texts that the service stores. Blank texts are not stored.
   *         parsed: { type: integer, nullable: true, description: Number of texts that the import read. }
   *         blank:
   *           type: integer
   *           nullable: true
   *           description: Number of blank texts, which are not stored.
   *         pages:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of pages of texts that the import read. Absent unless the shard is the source.
   *         reported:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of texts that the shard said it has. Absent unless the shard is the source.
   *         received:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             Number of texts that the shard sent. Absent unless the shard is the source.
   *         overlayProblem:
   *           type: string
   *           nullable: true
   *           description: >-
   *             Why an overlay (a file that adds or replaces texts) could not be read. Null if all
   *             overlays were read.
   *         sources: { type: array, items: { $ref: '#/components/schemas/LoadedClilocSource' } }
   *         missingSources:
   *           type: array
   *           description: >-
   *             Files from which texts are loaded but which are no longer in the source. Present only
   *             if the status is `needsReview`.
   *           items: { type: string }
   *         acceptedMissing:
   *           type: array
   *           description: >-
   *             Missing files whose texts the import deleted. Present only if the request contained
   *             `approve` and the status is `imported`.
   *           items: { type: string }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/admin/shard/clilocs/import",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Import the client's texts (clilocs)",
    description:
      "Reads the texts from the shard if the link to the shard is on, otherwise from files. " +
      "Replaces the loaded texts, and updates the names of the listings on the market. If a file " +
      "whose texts are loaded now is missing, the import changes nothing and its status is " +
      "`needsReview`. To apply the import anyway, repeat the request with `approve`. The " +
      "response is sent when the job has ended. With `Prefer: respond-async`, the response is " +
      "immediately 202, with the URL of the job. If the source cannot be read, or no worker is " +
      "running, the response is 200 with the status `unavailable` and a `code`.",
    body: Joi.object<{ force?: boolean; approve?: boolean }, true>({
      force: Joi.boolean().description(
        "Whether to import the source even if it has not changed. Default: false.",
      ),
      approve: Joi.boolean().description(
        "Whether to delete the texts of the files that the last import with the status " +
          "`needsReview` listed as missing. If other files are missing now, the status is " +
          "`needsReview` again. Default: false.",
      ),
    }),
    takes: ["Prefer"],
    answers: { 200: "ClilocRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      requestAndAnswerImport("clilocs", { ...asked, flags: body }, context),
  }),
];
