import type { User } from "../../models/auth/user.ts";
import type { SurvivalReport } from "../../models/survival/survival-report.ts";
import { displayName } from "../../shared/survival/plain-texts.ts";
import {
  type ReportsAgainst,
  stateOfReport,
} from "../../shared/survival/reports/manage-reports.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalReport:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         [id, server, state, reporter, target, type, subject, message, reportedAt, seenAt, seenBy, closedAt, closedBy, note]
 *       properties:
 *         id: { type: integer, example: 58 }
 *         server:
 *           type: object
 *           additionalProperties: false
 *           required: [id, name]
 *           properties:
 *             id: { type: integer, example: 3 }
 *             name: { type: string, example: Oak }
 *         state: { $ref: '#/components/schemas/SurvivalReportState' }
 *         reporter: { $ref: '#/components/schemas/ReportedPlayer' }
 *         target:
 *           description: The reported player. Null if the report is about no player.
 *           oneOf:
 *             - $ref: '#/components/schemas/ReportedPlayer'
 *             - { type: object, nullable: true, enum: [null] }
 *         type:
 *           type: string
 *           nullable: true
 *           example: cheat
 *           description: Type of the report, as the game names it. Null if the game sent no type.
 *         subject: { type: string, example: flying }
 *         message: { type: string, example: He flies over the dome and shoots. }
 *         reportedAt: { type: string, format: date-time }
 *         seenAt: { type: string, format: date-time, nullable: true }
 *         seenBy: { $ref: '#/components/schemas/ReportReader' }
 *         closedAt: { type: string, format: date-time, nullable: true }
 *         closedBy: { $ref: '#/components/schemas/ReportReader' }
 *         note:
 *           type: string
 *           nullable: true
 *           example: Banned for a week.
 *           description: >-
 *             Note of the staff member who closed the report. The note stays when the report is
 *             reopened.
 *     SurvivalReportState:
 *       type: string
 *       enum: [open, seen, closed]
 *       description: >-
 *         State of the report. `open`: no staff member has marked the report as seen. `seen`: a
 *         staff member has marked the report as seen. `closed`: a staff member has closed the
 *         report.
 *     ReportedPlayer:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string, example: Bert }
 *     ReportReader:
 *       description: >-
 *         The staff member. Null before the action, and if the account of the staff member was
 *         deleted.
 *       nullable: true
 *       type: object
 *       additionalProperties: false
 *       required: [id, username]
 *       properties:
 *         id: { type: integer, example: 7 }
 *         username: { type: string, example: mona }
 *     ReportsAgainst:
 *       type: object
 *       description: Reports about the Steam accounts that are linked to the user.
 *       additionalProperties: false
 *       required: [count, newest]
 *       properties:
 *         count: { type: integer, example: 1, description: Number of all reports. }
 *         newest:
 *           type: array
 *           maxItems: 10
 *           description: The ten newest reports, newest first.
 *           items: { $ref: '#/components/schemas/SurvivalReport' }
 */
export const viewReport = (report: SurvivalReport) => ({
  id: report.id,
  server: viewServer(report),
  state: stateOfReport(report),
  reporter: viewPlayer(report.reporterSteamId, report.reporterName),
  target:
    report.targetSteamId === null
      ? null
      : viewPlayer(report.targetSteamId, report.targetName ?? ""),
  type: report.type,
  subject: report.subject,
  message: report.message,
  reportedAt: report.reportedAt,
  seenAt: report.seenAt,
  seenBy: viewReader(report.seer),
  closedAt: report.closedAt,
  closedBy: viewReader(report.closer),
  note: report.note,
});

const viewServer = ({ server }: SurvivalReport) => {
  if (!server) throw new Error("the report was read without its server");
  return { id: server.id, name: server.name };
};

const viewPlayer = (steamId: string, name: string) => ({
  steamId,
  name: displayName(name, steamId),
});

const viewReader = (user: User | null | undefined) =>
  user ? { id: user.id, username: user.username } : null;

export const viewReportsAgainst = ({ count, newest }: ReportsAgainst) => ({
  count,
  newest: newest.map(viewReport),
});
