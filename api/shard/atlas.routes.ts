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
  region: text().description("Name of a region, in any case."),
  creature: text().description("Type of a creature, in any case."),
  x: coordinate().description(
    "With `y`: only regions that contain the point, and spawners whose area contains it.",
  ),
  y: coordinate().description("With `x`."),
  bbox: box
    .empty("")
    .description(
      "`x1,y1,x2,y2`, whole numbers of tiles: only regions that overlap the box, and spawners " +
        "that stand in it. `x2` and `y2` are exclusive.",
    ),
  q: text().description("Part of the name of a region, a spawner or a creature, in any case."),
};

const atlasQuery = Joi.object<AtlasQuery, true>({
  facet: text().description(
    "Facet to read, in any case. Required with every filter. Without it the response is the " +
      "summary.",
  ),
  ...filters,
  limit: limitField(limits.atlasPage).description("Largest number of spawners to return."),
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
  force: Joi.boolean().description("Reads the source again even if it has not changed."),
});

const wait =
  "The response waits for the job; with `Prefer: respond-async` it is 202 with the job's " +
  "address. A source that cannot be read, or no worker, is 200 with status `unavailable` and a " +
  "`code`.";

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
      "Returns the facets with their counts. With `facet`, also the regions of the facet that " +
      "match the filters (at most 1,000) and one page of its matching spawners, with `total` " +
      "for all pages. 404 `not_found` for a facet that the atlas does not have.",
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
      "if there is one. The request reads the source: the tree of files, or the shard's list of " +
      "files. A source that cannot be read is no error: `readable` is false and `code` says " +
      "why.",
    answers: { 200: "AtlasStatus" },
    handle: (_input, context) => readAtlasStatus(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/atlas/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the path that the atlas is read from",
    description:
      "Stores the path of a game server's tree of files and returns the state of the atlas. The " +
      "path takes precedence over `ATLAS_PATH`. Without either, the atlas is read from the " +
      "linked shard. Nothing is imported. The activity log records the change as " +
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
      "applied: the status is `needsReview`, and the refresh waits for `approve` or " +
      "`reject`. A source that has not changed is `unchanged`, one that was rejected is " +
      `\`rejected\`. ${wait}`,
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
      "Reads the source again and applies it, with the loss of the facets that the review " +
      "named. If it would now remove another facet, or if `basedOn` is sent and the source " +
      "has changed, it waits for review again (`needsReview`). If nothing waits for review " +
      `the status is \`none\`. ${wait}`,
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
      "Keeps the atlas as it is and returns the rejected refresh. Imports answer `rejected` " +
      "until the source changes. 404 `not_found` if nothing waits for review, also for a " +
      "repeat. The activity log records it as `import.atlas.rejected`.",
    basedOn: based,
    answers: { 200: "AtlasRefreshResult", 404: "Error" },
    handle: ({ caller }, context) => rejectPendingAtlas(caller, context),
  }),
];
