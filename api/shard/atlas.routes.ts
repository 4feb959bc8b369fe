import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { limits } from "../../shared/platform/limits.ts";
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
  region: text().description(
    "Name of a region. Returns only this region and the spawners in it. Case is ignored.",
  ),
  creature: text().description(
    "Type of a creature. Returns only spawners that spawn this creature, and regions with such a " +
      "spawner. Case is ignored.",
  ),
  x: coordinate().description(
    "X coordinate of a point in tiles; `y` is required as well. Returns only regions that " +
      "contain the point, and spawners whose area contains the point.",
  ),
  y: coordinate().description("Y coordinate of the point in tiles. Required if `x` is present."),
  bbox: box
    .empty("")
    .description(
      "Box `x1,y1,x2,y2` in whole tiles; `x2` and `y2` are exclusive. Returns only regions that " +
        "overlap the box, and spawners that are inside the box.",
    ),
  q: text().description(
    "Text to search for. Returns only regions whose name contains the text, and spawners for " +
      "which the name, the region or the type of a creature contains it. Case is ignored.",
  ),
};

const atlasQuery = Joi.object<AtlasQuery, true>({
  facet: text().description(
    "Name of the facet to read. Case is ignored. Required if the request contains any filter. If " +
      "absent, the response contains only the summary of all facets.",
  ),
  ...filters,
  limit: limitField(limits.atlasPage).description(
    "Maximum number of spawners to return. Default: 100. Maximum: 1,000.",
  ),
  offset: Joi.number()
    .integer()
    .min(0)
    .max(0x7fff_ffff)
    .default(0)
    .description("Number of spawners to skip before the first returned spawner. Default: 0."),
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
  force: Joi.boolean().description(
    "Whether to import the source even if it has not changed. Default: false.",
  ),
});

const wait =
  "The response is sent when the job has ended. With `Prefer: respond-async`, the response is " +
  "immediately 202, with the URL of the job. If the source cannot be read, or no worker is " +
  "running, the response is 200 with the status `unavailable` and a `code`.";

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
      "Returns all facets with their counts. If `facet` is present, the response also contains " +
      "the regions of this facet that match the other parameters (at most 1,000), and one page " +
      "of the matching spawners. 404 `not_found` if the atlas does not contain the facet.",
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
      "Returns the loaded atlas's counts, the state of its source, and the refresh that waits " +
      "for review, if there is one. To find the state of the source, the operation reads it: a " +
      "local directory tree, or the shard's list of files. If the source cannot be read, the " +
      "response is still 200: `readable` is false and `code` contains the reason.",
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
  route({
    method: "post",
    path: "/api/v1/admin/shard/atlas/import",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Import the spawn atlas",
    description:
      "Reads the source and replaces the loaded atlas. If this would remove a facet, the refresh " +
      "changes nothing and its status is `needsReview`: it waits for `POST " +
      "/admin/shard/atlas/approve` or `POST /admin/shard/atlas/reject`. The status is " +
      "`unchanged` if the source has not changed since the last import, and `rejected` if an " +
      `administrator rejected this state of the source. ${wait}`,
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
      "Reads the source again and applies the refresh: it also removes the facets that the " +
      "refresh listed for review. If it would now remove another facet, or if the request " +
      "contains `basedOn` and the source has changed, the refresh waits for review again and the " +
      `status is \`needsReview\`. If no refresh waits for review, the status is \`none\`. ${wait}`,
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
      "Rejects the refresh, leaves the atlas unchanged and returns the refresh. From then on, " +
      "imports have the status `rejected` until the source changes. 404 `not_found` if no " +
      "refresh waits for review. The activity log records the request as `import.atlas.rejected`.",
    basedOn: based,
    answers: { 200: "AtlasRefreshResult", 404: "Error" },
    handle: ({ caller }, context) => rejectPendingAtlas(caller, context),
  }),
];
