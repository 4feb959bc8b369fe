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
  region: text().description("A region's name, in any case."),
  creature: text().description("A creature's type, in any case."),
  x: coordinate().description("With `y`: what holds the point, or reaches it."),
  y: coordinate().description("With `x`."),
  bbox: box.empty("").description("`x1,y1,x2,y2`; the far sides are outside."),
  q: text().description("Part of the name of a region, a spawner or a creature, in any case."),
};

const atlasQuery = Joi.object<AtlasQuery, true>({
  facet: text().description("Needed for all but the summary."),
  ...filters,
  limit: limitField(limits.atlasPage),
  offset: Joi.number()
    .integer()
    .min(0)
    .max(0x7fff_ffff)
    .default(0)
    .description("How many spawners are passed over."),
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
  force: Joi.boolean().description("Reads the source again although it is the one that is loaded."),
});

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
    summary: "The spawn atlas: facets, regions, and what spawns where",
    description:
      "Without `facet` the summary: the facets and what each holds. With one, its regions and one page of its spawners, as far as they match. An unknown facet is 404.",
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
    summary: "The atlas's source as it stands now, and what is loaded",
    answers: { 200: "AtlasStatus" },
    handle: (_input, context) => readAtlasStatus(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/atlas/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the game-server tree that the atlas is read from",
    description:
      "It wins over `ATLAS_PATH`; blank gives way to that again. Without either the linked shard is the source. Nothing is imported by this.",
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
    summary: "Refresh the atlas from its source",
    description:
      "A refresh that would remove a facet is staged for review. A source that cannot be read answers `unavailable` with its code.",
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
    summary: "Apply the staged refresh, its facet loss included",
    description:
      "The source is read anew; when it would lose a facet that the review did not name, it is put up for review again, and with `basedOn` also when the source is another than was reviewed. Without a refresh that waits the status is `none`.",
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
    summary: "Reject the staged refresh",
    description:
      "It is remembered for this state of the source: a changed one is asked about again.",
    basedOn: based,
    answers: { 200: "AtlasRefreshResult", 404: "Error" },
    handle: ({ caller }, context) => rejectPendingAtlas(caller, context),
  }),
];
