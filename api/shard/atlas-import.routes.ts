import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { approvePendingAtlas, rejectPendingAtlas } from "../../shared/shard/atlas/import/review.ts";
import { readAtlasStatus } from "../../shared/shard/atlas/import/status.ts";
import type { ApiContext } from "../context.ts";
import { route } from "../http/route.ts";
import { answerAsked, answerImport } from "./answer-import.ts";
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

/** For the refusal of a decision on another refresh than the one that waits. */
const based = {
  when: "optional",
  as: "hash",
  shownAs: "`revision` of `pending`",
  current: async (_input: object, context: ApiContext) => (await readAtlasStatus(context)).pending,
} as const;

export const atlasImportRoutes = [
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
