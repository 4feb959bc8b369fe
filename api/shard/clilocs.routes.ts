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
      "Returns what is loaded and the state of the source. The request reads the source: the " +
      "files, or what the shard says of its table. A source that cannot be read is no error: " +
      "`problem` and `code` say why.",
    answers: { 200: "ClilocStatus" },
    handle: (_input, context) => readClilocStatus(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/clilocs/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the path that clilocs are read from",
    description:
      "Stores the path of the client's `Cliloc.enu`, or of its directory; overlays are read " +
      "from the directory `custom` beside the file. The path takes precedence over " +
      "`CLILOC_PATH`. Files are read only while the link to the shard is off. Nothing is " +
      "imported. The activity log records the change as `import.clilocs.path_changed`.",
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
      "Reads the texts from the shard while its link is on, else from files, replaces the " +
      "loaded texts, and renames the listings on the market accordingly. If a file that was " +
      "loaded is missing, nothing is applied and the status is `needsReview`, until the import " +
      "is sent with `approve`. The response waits for the job; with `Prefer: respond-async` it " +
      "is 202 with the job's address. A source that cannot be read, or no worker, is 200 with " +
      "status `unavailable` and a `code`.",
    body: Joi.object<{ force?: boolean; approve?: boolean }, true>({
      force: Joi.boolean().description("Reads the source again even if it has not changed."),
      approve: Joi.boolean().description(
        "Drops the texts of the missing files that the latest review named. If others are " +
          "missing by then, the status is `needsReview` again.",
      ),
    }),
    takes: ["Prefer"],
    answers: { 200: "ClilocRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("clilocs", { ...asked, flags: body }, context),
  }),
];
