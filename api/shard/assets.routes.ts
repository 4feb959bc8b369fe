import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readAssetStatus } from "../../shared/shard/assets/status.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { answerImport } from "./answer-import.ts";
import { requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Imports" } as const;

const wait =
  "The response waits for the job; with `Prefer: respond-async` it is 202 with the job's " +
  "address. While the same import runs, a request joins it; with other flags it gets code " +
  "`BUSY`. If the shard or a worker is not available, the response is 200 with status " +
  "`unavailable` and a `code`.";

/** The client's pictures: what is loaded, and how more of them comes. */
export const assetsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/assets",
    summary: "Get the state of the picture catalog",
    description:
      "Returns what is loaded and, from a call to the shard, what the shard offers now. While " +
      "the shard cannot be read the response is still 200: `shard` is null and `code` says why.",
    answers: { 200: "AssetStatus" },
    handle: (input, context) => readAssetStatus(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/import",
    summary: "Import the picture catalog",
    description:
      "Reads the shard's catalog of pictures and fetches the new and changed pictures of bodies " +
      "and land tiles. If pictures that are loaded are missing from the new catalog, nothing is " +
      "applied and the status is `needsReview`, until the import is sent with `approve`. " +
      wait,
    body: Joi.object<{ force: boolean; approve: boolean }, true>({
      force: Joi.boolean().default(false).description("Fetches all of these pictures again."),
      approve: Joi.boolean()
        .default(false)
        .description(
          "Removes the missing pictures that the latest review named. If others are missing by " +
            "then, the status is `needsReview` again.",
        ),
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
    summary: "Fetch pictures of the items on the market",
    description:
      "Fetches pictures of listed items that the service does not hold yet, at most `limit` " +
      "in one run, those of the most listings first. Each batch of pictures is shown as soon as " +
      `it has arrived. ${wait}`,
    body: Joi.object<{ force: boolean; limit: number }, true>({
      force: Joi.boolean()
        .default(false)
        .description(
          "Also asks for pictures that the shard did not have. Without it they are asked for " +
            "again only when the shard's catalog has changed.",
        ),
      limit: limitField(limits.itemArt).description("Largest number of pictures to ask for."),
    }),
    takes: ["Prefer"],
    answers: { 200: "ItemArtWarmResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("item-art", { flags: body, ...asked }, context),
  }),
];
