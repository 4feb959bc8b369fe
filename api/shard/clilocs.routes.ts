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
    summary: "The source of the client's texts as it stands now, and what is loaded",
    answers: { 200: "ClilocStatus" },
    handle: (_input, context) => readClilocStatus(context),
  }),
  route({
    method: "put",
    path: "/api/v1/admin/shard/clilocs/path",
    gate: "roles:admin",
    set: "core",
    tag: "Imports",
    summary: "Set the Cliloc file, or its directory",
    description:
      "Read while the link to the shard is off: `problem` says so while it is on, and what is wrong with the path at any time. It wins over `CLILOC_PATH`; blank gives way to that again. Overlays are read from `custom/` beside it. Nothing is imported by this.",
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
    summary: "Refresh the client's texts from their source",
    description:
      "A file that was loaded and is gone is `needsReview` until `approve` is sent. A source that cannot be read answers `unavailable` with its code.",
    body: Joi.object<{ force?: boolean; approve?: boolean }, true>({
      force: Joi.boolean(),
      approve: Joi.boolean().description(
        "Applies although texts of vanished files are lost, when the last import named them: of others it asks first.",
      ),
    }),
    takes: ["Prefer"],
    answers: { 200: "ClilocRefreshResult", 202: "AcceptedJob" },
    handle: ({ body, ...asked }, context) =>
      answerImport("clilocs", { ...asked, flags: body }, context),
  }),
];
