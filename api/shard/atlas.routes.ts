import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { limits } from "../../shared/limits.ts";
import { approvePendingAtlas, rejectPendingAtlas } from "../../shared/shard/atlas/import/review.ts";
import { readAtlasStatus } from "../../shared/shard/atlas/import/status.ts";
import { type AtlasQuery, readAtlas } from "../../shared/shard/atlas/search/read-atlas.ts";
import type { ApiContext } from "../context.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { answerAsked, answerImport } from "./answer-import.ts";
import { importPathBody } from "./import-path.ts";

const text = () => Joi.string().max(64).empty("");
const coordinate = () => Joi.number().integer().min(-65_536).max(65_536).empty("");

/** `x1,y1,x2,y2`, each number as it is written in one way alone. */
const box = Joi.string().custom((given: string, helpers): number[] | Joi.ErrorReport => {
  const numbers = given.split(",").map(Number);
  const isBox = numbers.length === 4 && numbers.every((one) => Math.abs(one) <= 65_536);
  if (isBox && numbers.every(Number.isInteger) && numbers.join(",") === given) return numbers;
  return helpers.message({ custom: "{{#label}} must be four whole numbers: x1,y1,x2,y2" });
});

const filters = {
  region: text().description("Name of a region. Case is ignored."),
  creature: text().description("Type of a creature. Case is ignored."),
  x: coordinate().description(
    "X coordinate of a point, together with `y`. Returns only regions that contain the point and " +
      "spawners whose area contains the point.",
  ),
  y: coordinate().description("Y coordinate of the point. Required with `x`."),
  bbox: box
    .empty("")
    .description(
      "Box `x1,y1,x2,y2` in whole tiles; `x2` and `y2` are exclusive. Returns only regions that " +
        "overlap the box and spawners that are inside it.",
    ),
  q: text().description("Part of the name of a region, a spawner or a creature. Case is ignored."),
};

const atlasQuery = Joi.object<AtlasQuery, true>({
  facet: text().description(
    "Name of the facet to read. Case is ignored. Required with every filter. If absent, the " +
      "response contains only the summary of the facets.",
  ),
  ...filters,
  limit: limitField(limits.atlasPage).description("Maximum number of spawners to return."),
  offset: Joi.number()
    .integer()
    .min(0)
    .max(0x7fff_ffff)
    .default(0)
    .description("Number of spawners to skip."),
})
  .and("x", "y")
  .with("region", "facet")
  .with("creature", "facet")
  .with("x", "facet")
  .with("bbox", "facet")
  .with("q", "facet")
  .messages({
    "object.and": "x and y are required together",
    "object.with": "{{#peer}} is required with {{#main}}",
  });

const forced = Joi.object<{ force?: boolean }, true>({
  force: Joi.boolean().description("Whether to read the source again even if it has not changed."),
});

const wait =
  "The request waits for the job to end; with `Prefer: respond-async` the response is 202 with " +
  "the URL of the job. If the source cannot be read or no worker is running, the response is 200 " +
  "with the status `unavailable` and a `code`.";

/** For the refusal of a decision on another refresh than the one that waits. */
const based = {
  when: "optional",
  as: "hash",
  shownAs: "`revision` of `pending`",
  current: async (_input: object, context: ApiContext) => (await readAtlasStatus(context)).pending,
} as const;

export const atlasRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/atlas",
    gate: "feature:atlas",
    set: "core",
    tag: "Shard",
    summary: "Read the spawn atlas",
    description:
      "Returns the facets with their counts. With `facet`, the response also contains the " +
      "regions of this facet that match the filters (at most 1,000) and one page of its matching " +
      "spawners. 404 `not_found` if the atlas does not contain the facet.",
    query: atlasQuery,
    answers: { 200: "AtlasPage" },
    keepMs: 500,
    handle: ({ query }, context) => readAtlas(query, context),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/shard/atlas",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Get the state of the spawn atlas",
    description:
      "Returns what is loaded, the state of the source, and the refresh that waits for review, " +
      "if any. The operation reads the source, which is a local directory tree or the shard's " +
      "list of files. If the source cannot be read, the response is still 200; then `readable` " +
      "is false and `code` contains the reason.",
    answers: { 200: "AtlasStatus" },
    handle: (_input, context) => readAtlasStatus(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/atlas/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the path of the files of the atlas",
    description:
      "Stores the path of a game server's directory tree and returns the state of the atlas. The " +
      "path takes precedence over `ATLAS_PATH`. If both are empty, the atlas is read from the " +
      "linked shard. The operation imports nothing. The activity log records the change as " +
      "`import.atlas.path_changed`.",
    body: importPathBody,
    answers: { 200: "AtlasStatus" },
    handle: async ({ body, caller }, context) => {
      await writeImportPath("atlas", body.path, caller, context);
      return readAtlasStatus(context);
    },
  }),
  route({
    method: "post",
    path: "/api/v1/admin/shard/atlas/import",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Import the spawn atlas",
    description:
      "Reads the source and replaces the atlas. If the refresh would remove a facet, nothing is " +
      "applied and the status is `needsReview`; the refresh then waits for `POST " +
      "/admin/shard/atlas/approve` or `POST /admin/shard/atlas/reject`. The status is " +
      "`unchanged` if the source has not changed, and `rejected` if this state of the source was " +
      `rejected. ${wait}`,
    body: forced,
    takes: ["Prefer"],
    answers: { 200: "AtlasRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("atlas", { ...asked, flags: body }, context),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/shard/atlas/approve",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Approve the refresh that waits for review",
    description:
      "Reads the source again and applies the refresh, which removes the facets that the review " +
      "listed. If the refresh would now remove another facet, or if `basedOn` is sent and the " +
      "source has changed, the refresh waits for review again and the status is `needsReview`. " +
      `If nothing waits for review, the status is \`none\`. ${wait}`,
    basedOn: based,
    takes: ["Prefer"],
    answers: { 200: "AtlasRefreshResult", 202: "AcceptedJob" },
    handle: async (input, context) =>
      answerAsked("atlas", await approvePendingAtlas(input.caller, context), input, context),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/shard/atlas/reject",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Reject the refresh that waits for review",
    description:
      "Leaves the atlas unchanged and returns the rejected refresh. Imports then have the status " +
      "`rejected` until the source changes. 404 `not_found` if nothing waits for review, so a " +
      "repeated request is 404 as well. The activity log records the request as " +
      "`import.atlas.rejected`.",
    basedOn: based,
    answers: { 200: "AtlasRefreshResult", 404: "Error" },
    handle: ({ caller }, context) => rejectPendingAtlas(caller, context),
  }),
];
