import { type Includeable, Op, type Transaction, type WhereOptions } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { ReportState, SurvivalReport } from "../../../models/survival/survival-report.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { type Database, firstRow } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { readFormerSteamIds, readOwnSteamIds, refuseOwnSteamAccount } from "../steam-links.ts";
import { countClosedReportsSql, countWaitingReportsSql } from "./reports.sql.ts";

type Stores = Pick<Context, "models" | "sequelize">;

const named = { attributes: ["id", "username"] };

const forStaff: Includeable[] = [
  { association: "server", attributes: ["id", "name"] },
  { association: "seer", ...named },
  { association: "closer", ...named },
];

/** Returns the state of a report: closed, seen or open. */
export function stateOfReport({
  seenAt,
  closedAt,
}: Pick<SurvivalReport, "seenAt" | "closedAt">): ReportState {
  if (closedAt !== null) return "closed";
  return seenAt === null ? "open" : "seen";
}

export interface ReportSearch {
  readonly server?: number;
  readonly state?: ReportState;
  /** Steam ids of the reported player and of the reporter. */
  readonly target?: string;
  readonly reporter?: string;
  /** Return only reports with a lower id. */
  readonly before?: number;
  readonly limit: number;
}

/**
 * Returns the condition for the reports that a staff member may see. A report names its reporter, so a
 * moderator does not see reports about Steam accounts that are or were the moderator's.
 */
async function visibleTo(
  { userId, role }: Caller,
  context: Stores,
): Promise<WhereOptions<SurvivalReport>> {
  const own = role === "admin" ? [] : await readFormerSteamIds(userId, context);
  if (own.length === 0) return {};
  return { targetSteamId: { [Op.or]: [{ [Op.is]: null }, { [Op.notIn]: own }] } };
}

/** Lists the reports that the caller may see, newest first. `next` is the value of `before` for the next page. */
export async function searchReports(
  { server, state, target, reporter, before, limit }: ReportSearch,
  caller: Caller,
  context: Stores,
): Promise<{ reports: SurvivalReport[]; next?: number }> {
  const { models } = context;
  const visible = await visibleTo(caller, context);
  const found = await models.SurvivalReport.scope(state ?? "defaultScope").findAll({
    where: {
      ...(server !== undefined && { serverId: matchClientId(server) }),
      ...(target !== undefined && { targetSteamId: target }),
      ...(reporter !== undefined && { reporterSteamId: reporter }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
      [Op.and]: [visible],
    },
    include: forStaff,
    order: [["id", "DESC"]],
    limit: limit + 1,
  });
  const reports = found.slice(0, limit);
  const next = found.length > limit ? reports.at(-1)?.id : undefined;
  return { reports, ...(next !== undefined && { next }) };
}

export type WaitingReportCounts = Readonly<Record<Exclude<ReportState, "closed">, number>>;

/** Counts the reports of all servers that are not closed. */
export async function countWaitingReports(database: Database): Promise<WaitingReportCounts> {
  const counts = await firstRow<WaitingReportCounts>(database, countWaitingReportsSql);
  return counts ?? { open: 0, seen: 0 };
}

/** Counts the closed reports of all servers. Slower than reading a page of reports. */
export async function countClosedReports(database: Database): Promise<number> {
  const found = await firstRow<{ closed: number }>(database, countClosedReportsSql);
  return found?.closed ?? 0;
}

/** @throws AppError not_found, also if the caller may not see the report */
export async function findVisibleReport(
  id: number,
  caller: Caller,
  context: Stores,
): Promise<SurvivalReport> {
  const where = { id: matchClientId(id), [Op.and]: [await visibleTo(caller, context)] };
  const report = await context.models.SurvivalReport.findOne({ where, include: forStaff });
  if (!report) throw unknownError();
  return report;
}

/** @throws AppError not_found */
export async function findReport(
  id: number,
  { models }: Stores,
  transaction: Transaction | null = null,
): Promise<SurvivalReport> {
  const where = { id: matchClientId(id) };
  const report = await models.SurvivalReport.findOne({ where, include: forStaff, transaction });
  if (!report) throw unknownError();
  return report;
}

const unknownError = (): AppError => notFoundError("Unknown report");

/** Maximum number of reports that are returned with another object, such as an appeal. */
const newestReports = 10;

export interface ReportsAgainst {
  /** Number of all reports. */
  readonly count: number;
  /** The newest reports, newest first. */
  readonly newest: readonly SurvivalReport[];
}

/** Reads the reports that the caller may see about the Steam accounts of a user. */
export async function readReportsAgainst(
  userId: number,
  caller: Caller,
  context: Stores,
): Promise<ReportsAgainst> {
  const steamIds = await readOwnSteamIds(userId, context);
  if (steamIds.length === 0) return { count: 0, newest: [] };
  const where = { targetSteamId: steamIds, [Op.and]: [await visibleTo(caller, context)] };
  const { SurvivalReport: Report } = context.models;
  const [count, newest] = await Promise.all([
    Report.count({ where }),
    Report.findAll({ where, include: forStaff, order: [["id", "DESC"]], limit: newestReports }),
  ]);
  return { count, newest };
}

/** A change of a report, with its name in the activity log. */
interface ReportChange {
  readonly verb: "seen" | "closed" | "reopened";
  /** Returns the new values; null if nothing changes. @throws AppError if the state forbids the change */
  readonly change: (
    report: SurvivalReport,
    caller: Caller,
  ) => Partial<Pick<SurvivalReport, "seenAt" | "seenBy" | "closedAt" | "closedBy" | "note">> | null;
}

/** Marks a report as seen. A report that was already seen keeps its first reader. */
export const markReportSeen = (id: number, caller: Caller, context: Stores) =>
  changeReport(
    id,
    {
      verb: "seen",
      change: (report, { userId }) =>
        report.seenAt === null ? { seenAt: clockNow(), seenBy: userId } : null,
    },
    caller,
    context,
  );

/** Closes a report. @throws AppError report_closed if it is closed */
export const closeReport = (
  id: number,
  note: string | undefined,
  caller: Caller,
  context: Stores,
) =>
  changeReport(
    id,
    {
      verb: "closed",
      change: (report, { userId }) => {
        if (report.closedAt !== null) {
          throw new AppError("report_closed", "The report is already closed");
        }
        const isNew = report.seenAt === null;
        return {
          ...(isNew && { seenAt: clockNow(), seenBy: userId }),
          closedAt: clockNow(),
          closedBy: userId,
          note: note ?? report.note,
        };
      },
    },
    caller,
    context,
  );

/** Opens a closed report again. Its note stays. @throws AppError report_open unless it is closed */
export const reopenReport = (id: number, caller: Caller, context: Stores) =>
  changeReport(
    id,
    {
      verb: "reopened",
      change: (report) => {
        if (report.closedAt === null) throw new AppError("report_open", "The report is not closed");
        return { seenAt: null, seenBy: null, closedAt: null, closedBy: null };
      },
    },
    caller,
    context,
  );

/** @throws AppError not_found; own_account if the caller is the reported player */
const changeReport = (
  id: number,
  { verb, change }: ReportChange,
  caller: Caller,
  context: Stores,
): Promise<SurvivalReport> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const report = await lockReport(id, transaction);
    const { targetSteamId: steamId } = report;
    const refusal = "Another staff member must handle reports about you";
    if (steamId !== null) await refuseOwnSteamAccount({ steamId, refusal }, caller, transaction);
    const values = change(report, caller);
    if (values !== null) {
      await report.update(values, { transaction });
      await recordActivity(
        {
          actor: caller,
          action: `survival.report.${verb}`,
          target: { type: "survival_report", id: report.id },
          detail: { serverId: report.serverId },
        },
        transaction,
      );
    }
    return findReport(report.id, context, transaction);
  });

async function lockReport(id: number, transaction: Transaction): Promise<SurvivalReport> {
  const report = await modelsOf(transaction).SurvivalReport.findOne({
    where: { id: matchClientId(id) },
    lock: transaction.LOCK.NO_KEY_UPDATE,
    transaction,
  });
  if (!report) throw unknownError();
  return report;
}
