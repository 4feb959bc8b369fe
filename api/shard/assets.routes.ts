import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readAssetStatus } from "../../shared/shard/assets/status.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { answerImport } from "./answer-import.ts";
import { requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Imports" } as const;

const wait =
  "The answer waits for the job; `Prefer: respond-async` gets 202 and the job's address. Trouble with the shard is `unavailable` with a code, never an error.";

/** The client's pictures: what is loaded, and how more of them comes. */
export const assetsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/assets",
    summary: "The pictures that are loaded, and those of the shard",
    answers: { 200: "AssetStatus" },
    handle: (input, context) => readAssetStatus(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/import",
    summary: "Import the catalogue of pictures",
    description: `Only new and changed pictures are fetched, those of bodies and land tiles; \`force\` fetches all of them again. A catalogue that lost keys is \`needsReview\` until \`approve\` is sent, and again when others are gone by then. ${wait}`,
    body: Joi.object<{ force: boolean; approve: boolean }, true>({
      force: Joi.boolean().default(false),
      approve: Joi.boolean().default(false),
    }),
    takes: ["Prefer"],
    answers: { 200: "AssetImportResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("assets", { flags: body, ...asked }, context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/warm",
    summary: "Fetch pictures of what the market sells",
    description: `Those that most listings show come first. What the shard has no picture of is not asked for again until its catalogue changes, or with \`force\`. ${wait}`,
    body: Joi.object<{ force: boolean; limit: number }, true>({
      force: Joi.boolean().default(false),
      limit: limitField(limits.itemArt),
    }),
    takes: ["Prefer"],
    answers: { 200: "ItemArtWarmResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("item-art", { flags: body, ...asked }, context),
  }),
];
