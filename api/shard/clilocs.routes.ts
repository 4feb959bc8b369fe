import Joi from "joi";

import { writeImportPath } from "../../shared/imports/sources/paths.ts";
import { readClilocStatus } from "../../shared/shard/clilocs/status.ts";
import { route } from "../http/route.ts";
import { answerImport } from "./answer-import.ts";
import { importPathBody } from "./import-path.ts";

export const clilocsRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/shard/clilocs",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Get the state of the client's texts (clilocs)",
    description:
      "Returns the number of loaded texts and the state of their source. To find the state of " +
      "the source, the operation reads it: local files, or the shard's report about its texts. " +
      "If the source cannot be read, the response is still 200: `problem` and `code` contain the " +
      "reason.",
    answers: { 200: "ClilocStatus" },
    handle: (_input, context) => readClilocStatus(context),
  }),
  route({
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
  route({
    method: "post",
    path: "/api/v1/admin/shard/clilocs/import",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Import the client's texts (clilocs)",
    description:
      "Reads the texts from the shard if the link to the shard is on, otherwise from files. " +
      "Replaces the loaded texts, and updates the names of the listings on the market. If a file " +
      "is missing from which texts are loaded now, the import changes nothing and its status is " +
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
      answerImport("clilocs", { ...asked, flags: body }, context),
  }),
];
