import type { Transaction } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalReport } from "../../../models/survival/survival-report.ts";
import { checkPayloadAgainstSchema } from "../../platform/bridge/check-payload.ts";
import {
  isObject,
  type JsonObject,
  parseObject,
  stringifyLongInteger,
} from "../../platform/bridge/json-text.ts";
import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import type { Context } from "../../platform/context.ts";
import { deleteInBatches, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { maskSecretText } from "../../platform/secret-texts/secret-forms.ts";
import { steamIdPattern } from "../kinds/fields.ts";
import type { FrameHandlers } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { playerKinds } from "../kinds/players.ts";
import { sendNotifications } from "../notifications/send.ts";
import { lockServerShared, lockSource } from "../server-locks.ts";
import { type ReportKeyUse, reportKeyUnknownError } from "../servers/server-keys.ts";
import { takeDailyQuota } from "../storage/daily-quota.ts";
import { recordOmission } from "../storage/omissions.ts";
import {
  countReportsOfPlayerSql,
  deleteOldReportsSql,
  insertReportSql,
  selectSameReportSql,
} from "./reports.sql.ts";

type ReportPayload = SurvivalPayload<"player.reported">;

/** A report as it is stored. A form and an event of the same report have equal texts here. */
export interface PlayerReport {
  readonly reporter: ReportPayload["reporter"];
  readonly target: ReportPayload["reporter"] | null;
  readonly type: string | null;
  readonly subject: string;
  readonly message: string;
}

const toPlayerReport = (payload: ReportPayload): PlayerReport => ({
  reporter: payload.reporter,
  target: payload.target ?? null,
  type: toTypeName(payload.type ?? null),
  subject: maskSecretText(payload.subject ?? ""),
  message: maskSecretText(payload.message ?? ""),
});

/** Names of the types of feedback, by the number that the game sends. */
const feedbackTypes = ["general", "bug", "cheat", "abuse", "idea"];

/** Replaces the number of a feedback type by its name; returns other types unchanged. */
const toTypeName = (type: string | null): string | null =>
  type !== null && /^\d$/.test(type) ? (feedbackTypes[Number(type)] ?? type) : type;

/** Names and types are cut to this number of characters, because the schema refuses longer ones. */
const nameLength = 256;
const typeLength = 64;

/**
 * Reads the field `data` of the game's form. Only the reporter is read from `AppInfo`, which also describes
 * the player's computer.
 * @throws AppError malformed_body, invalid_request
 */
export function parseFormReport(text: string): PlayerReport {
  const data = parseObject(text);
  if (!data) throw new AppError("malformed_body", "The field data must be a JSON object");
  const app = isObject(data["AppInfo"]) ? data["AppInfo"] : {};
  const reporter = toPlayer(app["UserId"], app["UserName"]);
  if (!reporter) {
    throw new AppError("invalid_request", "AppInfo.UserId must be the Steam id of the reporter");
  }
  const payload = {
    reporter,
    target: toPlayer(data["TargetId"], data["TargetName"]),
    subject: toText(data["Subject"]),
    message: toText(data["Message"]),
    type: toType(data),
  };
  const checked = checkPayloadAgainstSchema(playerKinds["player.reported"].payload, payload);
  if ("reason" in checked) throw new AppError("invalid_request", "The report is not valid");
  return toPlayerReport(checked.payload as ReportPayload);
}

function toPlayer(id: unknown, name: unknown) {
  const steamId = stringifyLongInteger(id);
  if (typeof steamId !== "string" || !steamIdPattern.test(steamId)) return null;
  return { steamId, name: toText(name).slice(0, nameLength) };
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The game sends the type of a report about a player as a text, and of a feedback as a number. */
function toType({ TargetReportType: ofTarget, Type: number }: JsonObject): string | null {
  if (typeof ofTarget === "string" && ofTarget !== "") return ofTarget.slice(0, typeLength);
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return null;
  return String(number);
}

interface Arrival extends Pick<SurvivalReport, "serverId" | "via"> {
  /** The game's time of the report in epoch milliseconds; null means the current time. */
  readonly t: number | null;
}

interface StoredReport extends Pick<SurvivalReport, "id"> {
  readonly t: number;
}

/**
 * Stores a report unless it is already stored or the server has sent too many today. The transaction has
 * locked the source of the server, so the same report cannot be stored twice.
 * @returns the notice to send; undefined if no report was stored
 */
async function storeReport(
  { reporter, target, type, subject, message }: PlayerReport,
  { serverId, via, t }: Arrival,
  bounds: StorageBounds,
  within: Transaction | SqlClient,
): Promise<SurvivalNotification | undefined> {
  const same = [serverId, reporter.steamId, subject, message, via, t, target?.steamId];
  if (await firstRow(within, selectSameReportSql, same)) return undefined;
  if (!(await takeRoom(serverId, reporter.steamId, bounds, within))) return undefined;
  const others = [reporter.name, target?.name, type];
  const values = [...same, ...others];
  const stored = await firstRow<StoredReport>(within, insertReportSql, values);
  if (!stored) throw new Error("an insert of one row returned no row");
  const ref = `report:${stored.id}`;
  return {
    id: "survival.player.reported",
    serverId,
    key: ref,
    t: stored.t,
    isStoredOnce: true,
    ref,
    ...(target && { aboutSteamId: target.steamId }),
    variables: { aboutPlayer: target !== null },
  };
}

/**
 * Counts the report in the daily limits of the player and of the server.
 * @returns false if a limit is reached; the report is then counted as dropped
 */
async function takeRoom(
  serverId: number,
  reporter: string,
  bounds: StorageBounds,
  within: Transaction | SqlClient,
): Promise<boolean> {
  const sent = await firstRow<{ count: number }>(within, countReportsOfPlayerSql, [
    serverId,
    reporter,
  ]);
  if ((sent?.count ?? 0) >= bounds.reportsOfPlayer) {
    await recordOmission({ serverId, name: "reportsOfPlayer", count: 1 }, bounds, within);
    return false;
  }
  return (await takeDailyQuota({ serverId, name: "reports" }, 1, bounds, within)) === 1;
}

type Services = Pick<Context, "sequelize" | "queue" | "log" | "config">;

/** Stores a report that the game sent as a form. @throws AppError report_key_unknown if the key was deleted */
export async function receiveFormReport(
  { serverId, digest }: ReportKeyUse,
  report: PlayerReport,
  context: Services,
): Promise<void> {
  await inTransaction(context.sequelize, async (transaction) => {
    await lockSource(serverId, transaction);
    await lockServerShared(serverId, transaction);
    const { SurvivalReportKey: Key } = modelsOf(transaction);
    const where = { serverId, digest };
    // The lock of the source keeps the key from being deleted. A row lock could deadlock with the deletion of the
    // key's creator.
    if ((await Key.count({ where, transaction })) === 0) throw reportKeyUnknownError();
    const arrival = { serverId, via: "form", t: null } as const;
    const bounds = context.config.SURVIVAL_BOUNDS;
    const notice = await storeReport(report, arrival, bounds, transaction);
    if (notice) await sendNotifications([notice], transaction, context);
    await Key.update({ lastUsedAt: clockNow() }, { where, transaction });
  });
}

export const reportHandlers: FrameHandlers = {
  "player.reported": async ({ payload, t }, { serverId, connection, context, tell }) => {
    const report = toPlayerReport(payload);
    const bounds = context.config.SURVIVAL_BOUNDS;
    const notice = await storeReport(report, { serverId, via: "link", t }, bounds, connection);
    if (notice) tell(notice);
  },
};

/** Reports are kept for a year, like the events that only staff may see. */
const keptDays = 365;

/** @returns the number of deleted reports */
export const pruneReports = ({ sequelize }: Pick<Context, "sequelize">): Promise<number> =>
  deleteInBatches(deleteOldReportsSql, [keptDays], sequelize);
