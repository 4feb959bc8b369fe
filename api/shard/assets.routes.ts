import Joi from "joi";

import { limits } from "../../shared/limits.ts";
import { readAssetStatus } from "../../shared/shard/assets/status.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { answerImport } from "./answer-import.ts";
import { requestIdOf } from "./order.ts";

const common = { gate: "roles:admin", set: "core", tag: "Imports" } as const;

const wait =
  "The request waits for the job to end; with `Prefer: respond-async` the response is 202 with " +
  "the URL of the job. If the same import is already running, the request waits for that job; if " +
  "it is running with other flags, the `code` is `BUSY`. If the shard or a worker is not " +
  "available, the response is 200 with the status `unavailable` and a `code`.";

/** The client's pictures: what is loaded, and how more of them comes. */
export const assetsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/shard/assets",
    summary: "Get the state of the picture catalog",
    description:
      "Returns what is loaded and, from a call to the shard, what the shard offers now. If the " +
      "shard cannot be read, the response is still 200; then `shard` is null and `code` contains " +
      "the reason.",
    answers: { 200: "AssetStatus" },
    handle: (input, context) => readAssetStatus(requestIdOf(input), context),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/shard/assets/import",
    summary: "Import the picture catalog",
    description:
      "Reads the shard's catalog of pictures and fetches new and changed pictures of bodies and " +
      "land tiles. If the new catalog lacks pictures that are loaded, nothing is applied and the " +
      "status is `needsReview`. To apply the import, repeat the request with `approve`. " +
      wait,
    body: Joi.object<{ force: boolean; approve: boolean }, true>({
      force: Joi.boolean()
        .default(false)
        .description("Whether to fetch unchanged pictures again, too."),
      approve: Joi.boolean()
        .default(false)
        .description(
          "Whether to remove the missing pictures that the latest review listed. If other " +
            "pictures are missing now, the status is `needsReview` again.",
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
      "Fetches pictures of items on the market that the service does not have yet, at most " +
      "`limit` in one run. Pictures that the most listings show come first. Each batch of " +
      `pictures is available as soon as it has arrived. ${wait}`,
    body: Joi.object<{ force: boolean; limit: number }, true>({
      force: Joi.boolean()
        .default(false)
        .description(
          "Whether to request again those pictures that the shard did not have before. If false, the service " +
            "requests them again only after the shard's catalog has changed.",
        ),
      limit: limitField(limits.itemArt).description("Maximum number of pictures to request."),
    }),
    takes: ["Prefer"],
    answers: { 200: "ItemArtWarmResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("item-art", { flags: body, ...asked }, context),
  }),
];
