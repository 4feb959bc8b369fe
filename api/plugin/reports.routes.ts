import Joi from "joi";

import { AppError } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { maxFormBytes, readReportForm } from "../../shared/survival/reports/read-form.ts";
import { parseFormReport, receiveFormReport } from "../../shared/survival/reports/store-report.ts";
import { findReportKey } from "../../shared/survival/servers/server-keys.ts";
import { defineRoute } from "../http/route.ts";
import { readRequestOrigin } from "../origin/origin.ts";

/** Limits lookups of keys, so that invented keys cannot use up the pool. */
const keyLookups = new FairQueue({
  atOnce: 4,
  caps: { network: 128, total: 1_024 },
  refusal: () =>
    new AppError("busy", "Too many keys are being checked at once: try again in a moment", {
      retryAfter: 1,
    }),
});

export const formReportsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ReceivedReport:
   *       type: object
   *       additionalProperties: false
   *       required: [ok]
   *       properties:
   *         ok: { type: boolean, enum: [true] }
   */
  defineRoute({
    method: "post",
    path: "/api/v1/plugin/reports/:key",
    gate: "reportKey",
    set: "additive",
    tag: "Plugins",
    summary: "Receive a report of a player from the game",
    description:
      "Receives the form that the game sends when a player reports something (F7 in the game), " +
      "if the game's setting `server.reportsServerEndpoint` contains this URL. Of the form, the " +
      "site stores the subject, the message, the type, the reporter and the reported player. A " +
      "report that the site has received within the last minute, also over the link, is not " +
      "stored again. 401 `report_key_unknown` if the key is not valid.",
    params: Joi.object<{ key: string }, true>({
      key: Joi.string().required().description("Report key of the survival server."),
    }),
    anyText: ["key"],
    bodyBytes: maxFormBytes,
    bodyAs: "form",
    body: Joi.object({
      data: Joi.string()
        .required()
        .description("The report as a JSON text.")
        .example('{"Subject":"flying","Message":"He flies.","TargetReportType":"cheat"}'),
      userid: Joi.string()
        .description("Ignored: `data` names the reporter.")
        .example("76561198000000001"),
      key: Joi.string().description("Ignored: the path contains the key."),
    }).example({
      data: '{"Subject":"flying","Message":"He flies.","TargetReportType":"cheat"}',
      userid: "76561198000000001",
    }),
    limiters: ["report"],
    answers: { 200: "ReceivedReport", 401: "Error" },
    // A refused key does not raise the bot score: the game does not learn that its key was deleted.
    find: ({ params, request }, context) =>
      keyLookups.run(readRequestOrigin(request).address, () => findReportKey(params.key, context)),
    handle: async ({ found, request }, context) => {
      const data = await readReportForm(request);
      if (data === undefined) throw new AppError("malformed_body", "The field data is missing");
      await receiveFormReport(found, parseFormReport(data), context);
      return { ok: true };
    },
  }),
];
