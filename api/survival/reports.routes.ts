import Joi from "joi";

import { type ReportState, reportStates } from "../../models/survival/survival-report.ts";
import { limits } from "../../shared/platform/limits.ts";
import { steamIdPattern } from "../../shared/survival/kinds/fields.ts";
import {
  closeReport,
  countClosedReports,
  countWaitingReports,
  findReport,
  findVisibleReport,
  markReportSeen,
  readReportsAgainst,
  reopenReport,
  type ReportSearch,
  searchReports,
} from "../../shared/survival/reports/manage-reports.ts";
import { findUser } from "../auth/find-user.ts";
import type { ApiContext } from "../context.ts";
import { idField, limitField, rowIdParams } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { viewReport, viewReportsAgainst } from "./report-views.ts";

const common = {
  gate: "roles:admin,moderator",
  set: "additive",
  tag: "Survival staff",
} as const;

const base = "/api/v1/admin/survival/reports";

const report = { enveloped: "report", shape: "SurvivalReport" } as const;

const steamIdField = Joi.string().pattern(steamIdPattern, "Steam id");

interface ById {
  readonly params: { readonly id: number };
}

const find = ({ params: { id } }: ById, context: ApiContext) => findReport(id, context);

export const reportsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalReportPage:
   *       type: object
   *       additionalProperties: false
   *       required: [reports, counts]
   *       properties:
   *         reports: { type: array, items: { $ref: '#/components/schemas/SurvivalReport' } }
   *         counts:
   *           type: object
   *           description: >-
   *             Number of reports in each state. Counts all reports, not only those that match the
   *             filters.
   *           additionalProperties: false
   *           required: [open, seen]
   *           properties:
   *             open: { type: integer }
   *             seen: { type: integer, example: 1 }
   *             closed:
   *               type: integer
   *               example: 40
   *               description: Only on the first page.
   *         next:
   *           type: integer
   *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
   *           example: 57
   */
  defineRoute({
    ...common,
    method: "get",
    path: base,
    summary: "List the reports of players",
    description:
      "Returns reports that players of survival servers sent to the staff (F7 in the game), " +
      "newest first. Reports are deleted after a year. Moderators do not see reports about a " +
      "Steam account that is or was linked to their own account.",
    query: Joi.object<ReportSearch, true>({
      server: idField.description("Id of a survival server. Returns only reports of this server."),
      state: Joi.string<ReportState>()
        .valid(...reportStates)
        .description("Returns only reports in this state."),
      target: steamIdField.description(
        "Steam id of a player. Returns only reports about this player.",
      ),
      reporter: steamIdField.description(
        "Steam id of a player. Returns only reports that this player sent.",
      ),
      before: idField.description(
        "Cursor for paging: returns only reports that are older than the report with this id.",
      ),
      limit: limitField(limits.reportPage),
    }),
    answers: { 200: "SurvivalReportPage" },
    handle: async ({ query, caller }, context) => {
      const { reports, ...page } = await searchReports(query, caller, context);
      const waiting = await countWaitingReports(context.sequelize);
      const isFirst = query.before === undefined;
      const closed = isFirst ? { closed: await countClosedReports(context.sequelize) } : {};
      return { reports: reports.map(viewReport), counts: { ...waiting, ...closed }, ...page };
    },
  }),
  defineRoute({
    ...common,
    method: "get",
    path: `${base}/:id`,
    summary: "Retrieve a report of a player",
    description:
      "Returns the report. Reading a report does not mark it as seen. 404 `not_found` also if a " +
      "moderator requests a report about a Steam account that is or was linked to the moderator.",
    params: rowIdParams,
    answers: { 200: report, 404: "Error" },
    find: ({ params, caller }, context) => findVisibleReport(params.id, caller, context),
    handle: ({ found }) => ({ report: viewReport(found) }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: `${base}/:id/seen`,
    summary: "Mark a report as seen",
    description:
      "Marks an open report as seen by the caller. If another staff member has already marked or " +
      "closed the report, nothing changes. The activity log records the request as " +
      "`survival.report.seen`. 403 `own_account` if the report is about a Steam account of the " +
      "caller.",
    params: rowIdParams,
    answers: { 200: report, 403: "Error", 404: "Error" },
    find,
    handle: async ({ params, caller }, context) => ({
      report: viewReport(await markReportSeen(params.id, caller, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: `${base}/:id/close`,
    summary: "Close a report",
    description:
      "Closes the report, with a note for other staff members. The activity log records the " +
      "request as `survival.report.closed`. 403 `own_account` if the report is about a Steam " +
      "account of the caller, 409 `report_closed` if the report is already closed.",
    params: rowIdParams,
    body: Joi.object<{ note?: string }>({
      note: proseField(limits.reportNote).description("Note that only staff see."),
    }).example({ note: "Banned for a week." }),
    answers: { 200: report, 403: "Error", 404: "Error", 409: "Error" },
    find,
    handle: async ({ params, body, caller }, context) => ({
      report: viewReport(await closeReport(params.id, body.note, caller, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: `${base}/:id/reopen`,
    summary: "Reopen a closed report",
    description:
      "Changes a closed report to the state `open`. Its note stays. The activity log records the " +
      "request as `survival.report.reopened`. 403 `own_account` if the report is about a Steam " +
      "account of the caller, 409 `report_open` if the report is not closed.",
    params: rowIdParams,
    answers: { 200: report, 403: "Error", 404: "Error", 409: "Error" },
    find,
    handle: async ({ params, caller }, context) => ({
      report: viewReport(await reopenReport(params.id, caller, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id/survival/reports",
    summary: "List the reports about a user",
    description:
      "Returns the number of reports about the Steam accounts that are linked to the user, and " +
      "the newest of them. Moderators see no reports about their own Steam accounts. 404 " +
      "`not_found` if the user is unknown.",
    params: rowIdParams,
    answers: { 200: "ReportsAgainst", 404: "Error" },
    find: findUser,
    handle: async ({ params, caller }, context) =>
      viewReportsAgainst(await readReportsAgainst(params.id, caller, context)),
  }),
];
