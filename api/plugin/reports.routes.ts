import type { Request } from "express";
import Joi from "joi";

import { AppError } from "../../shared/platform/errors/errors.ts";
import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { listLimitSubjects } from "../../shared/platform/throttle/subjects.ts";
import { maxFormBytes, readReportForm } from "../../shared/survival/reports/read-form.ts";
import { parseFormReport, receiveFormReport } from "../../shared/survival/reports/store-report.ts";
import {
  findReportKey,
  type ReportKeyUse,
  reportKeyUnknownError,
} from "../../shared/survival/servers/server-keys.ts";
import type { ApiContext } from "../context.ts";
import { defineRoute } from "../http/route.ts";
import { readRequestOrigin } from "../origin/origin.ts";

/** Limits concurrent lookups of keys, so that guessed keys cannot use up the connection pool. */
const keyLookups = new FairQueue({
  atOnce: 4,
  caps: { network: 128, total: 1_024 },
  refusal: () =>
    new AppError("busy", "Too many keys are being checked at once: try again in a moment", {
      retryAfter: 1,
    }),
});

/**
 * Finds the server of a key, and counts the request for this server. A refused key does not raise the bot
 * score, because a game keeps sending a deleted key.
 * @throws AppError report_key_unknown, rate_limited
 */
async function findCountedKey(
  key: string,
  request: Request,
  context: Pick<ApiContext, "models" | "config" | "rateLimits">,
): Promise<ReportKeyUse> {
  const { address, networks } = readRequestOrigin(request);
  const found = await keyLookups.run(address, () => findReportKey(key, context));
  if (found) {
    await context.rateLimits.countUse("report", String(found.serverId));
    return found;
  }
  await context.rateLimits.countUse(
    "reportKeyUnknown",
    listLimitSubjects(networks, context.config),
  );
  throw reportKeyUnknownError();
}

/** Maximum number of forms that wait or are being stored: per server, and in this process. */
const mostForms = { server: 50, total: 200 };

/**
 * Stores the forms of a server one after another, and at most two forms of the process at once. A form holds a
 * connection while it waits for the lock of its server's source, so more forms at once could use up the pool.
 */
class FormQueue {
  readonly #turns = new FairQueue({ atOnce: 2 });
  readonly #lines = new Map<number, { count: number; last: Promise<void> }>();
  #count = 0;

  /** @throws AppError busy if too many forms wait */
  async run(serverId: number, store: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(serverId) ?? { count: 0, last: Promise.resolve() };
    if (line.count >= mostForms.server || this.#count >= mostForms.total) {
      const words = "Too many reports are being stored at once: try again in a moment";
      throw new AppError("busy", words, { retryAfter: 1 });
    }
    const turn = line.last.then(() => this.#turns.run(undefined, store));
    line.last = turn.catch(() => undefined);
    line.count += 1;
    this.#count += 1;
    this.#lines.set(serverId, line);
    try {
      await turn;
    } finally {
      line.count -= 1;
      this.#count -= 1;
      if (line.count === 0) this.#lines.delete(serverId);
    }
  }
}

const forms = new FormQueue();

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
      "stored again. 401 `report_key_unknown` if the key is not valid, 503 `busy` if too many " +
      "reports wait to be stored.",
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
    answers: { 200: "ReceivedReport", 401: "Error", 429: "Error", 503: "Error" },
    find: ({ params, request }, context) => findCountedKey(params.key, request, context),
    handle: async ({ found, request }, context) => {
      const data = await readReportForm(request);
      if (data === undefined) throw new AppError("malformed_body", "The field data is missing");
      const report = parseFormReport(data);
      await forms.run(found.serverId, () => receiveFormReport(found, report, context));
      return { ok: true };
    },
  }),
];
