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
      "Returns what is loaded and the state of the source. The operation reads the source, which " +
      "is local files or the shard's own report about its texts. If the source cannot be read, " +
      "the response is still 200; then `problem` and `code` contain the reason.",
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
      "Stores the path of the client's `Cliloc.enu`, or of its directory. Overlays (files that " +
      "add or replace texts) are read from the subdirectory `custom` of this directory. The path " +
      "takes precedence over `CLILOC_PATH`. Files are read only while the link to the shard is " +
      "off. The operation imports nothing. The activity log records the change as " +
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
      "Reads the texts from the shard if the link to it is on, otherwise from files. Replaces " +
      "the loaded texts and updates the names of the listings on the market. If a file that was " +
      "loaded is missing, nothing is applied and the status is `needsReview`; to apply the " +
      "import, repeat the request with `approve`. The request waits for the job to end; with " +
      "`Prefer: respond-async` the response is 202 with the URL of the job. If the source cannot " +
      "be read or no worker is running, the response is 200 with the status `unavailable` and a " +
      "`code`.",
    body: Joi.object<{ force?: boolean; approve?: boolean }, true>({
      force: Joi.boolean().description(
        "Whether to read the source again even if it has not changed.",
      ),
      approve: Joi.boolean().description(
        "Whether to delete the texts of the missing files that the latest review listed. If " +
          "other files are missing now, the status is `needsReview` again.",
      ),
    }),
    takes: ["Prefer"],
    answers: { 200: "ClilocRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("clilocs", { ...asked, flags: body }, context),
  }),
];
