import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { hashToken, generateToken } from "../../platform/crypto/tokens.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  createPluginKey,
  deletePluginKeys,
  type KeyActivityLine,
  type NewPluginKey,
  requirePluginKind,
} from "../../platform/plugin/link.ts";
import { lockServerShared, lockSource, sourceNameOf } from "../server-locks.ts";

const targetOf = (id: number): KeyActivityLine => ({
  source: sourceNameOf(id),
  action: "survival.server.key",
  target: { type: "survival_server", id },
});

/** Creates a key for a server's plugin. @throws AppError missing; link_kind if the link is not a plugin's */
export const createServerKey = (
  id: number,
  caller: Caller,
  { sequelize, config }: Context,
): Promise<NewPluginKey> =>
  inCallersTransaction(sequelize, async (transaction) => {
    const { kind } = await lockServer(id, transaction);
    requirePluginKind(kind);
    const key = await createPluginKey(targetOf(id), { caller, config }, transaction);
    await notify("plugin_inbox", { source: sourceNameOf(id) }, transaction);
    return key;
  });

/** Deletes the plugin keys of a server. @returns their number @throws AppError missing if it has none */
export const deleteServerKeys = (
  id: number,
  caller: Caller,
  { sequelize }: Context,
): Promise<number> =>
  inCallersTransaction(sequelize, async (transaction) => {
    await lockServer(id, transaction);
    const ended = await deletePluginKeys(targetOf(id), caller, transaction);
    await notify("plugin_inbox", { source: sourceNameOf(id) }, transaction);
    return ended;
  });

async function lockServer(id: number, transaction: Transaction): Promise<SurvivalServer> {
  const { SurvivalServer: Server } = modelsOf(transaction);
  const lock = transaction.LOCK.UPDATE;
  const server = await Server.findOne({ where: { id: matchClientId(id) }, transaction, lock });
  if (!server) throw notFoundError("Unknown server");
  return server;
}

const reportKeyPrefix = "ghr_";

const isReportKey = (text: string): boolean => /^ghr_[\w-]{43}$/.test(text);

export const reportKeyUnknownError = (): AppError =>
  new AppError("report_key_unknown", "The address contains no valid report key");

/** A key that was valid when the form arrived. */
export interface ReportKeyUse {
  readonly serverId: number;
  readonly digest: Buffer;
}

/** Finds the server of a key. @returns null if the key is not valid */
export async function findReportKey(
  key: string,
  { models }: Pick<Context, "models">,
): Promise<ReportKeyUse | null> {
  if (!isReportKey(key)) return null;
  const digest = hashToken(key);
  const found = await models.SurvivalReportKey.findOne({ where: { digest }, raw: true });
  return found && { serverId: found.serverId, digest };
}

/** A new key. It cannot be read again later. */
export interface NewReportKey {
  readonly key: string;
  readonly url: string;
  /** The lines to type in the console of the game server. */
  readonly commands: readonly string[];
}

/** Creates the report key of a server. The former key ends at once. @throws AppError not_found */
export const createReportKey = (
  serverId: number,
  caller: Caller,
  { sequelize, config }: Pick<Context, "sequelize" | "config">,
): Promise<NewReportKey> =>
  inCallersTransaction(sequelize, async (transaction) => {
    await lockAgainstReports(serverId, transaction);
    const { SurvivalReportKey: Key } = modelsOf(transaction);
    const key = generateToken(reportKeyPrefix);
    await Key.destroy({ where: { serverId }, transaction });
    await Key.create(
      { serverId, digest: hashToken(key), createdBy: caller.userId, lastUsedAt: null },
      { transaction },
    );
    await recordReportKey("create", serverId, caller, transaction);
    const url = `${config.PUBLIC_BASE_URL.replace(/\/+$/, "")}/api/v1/plugin/reports/${key}`;
    return { key, url, commands: [`server.reportsServerEndpoint "${url}"`, "server.writecfg"] };
  });

/** Deletes the report key of a server. @throws AppError not_found if it has none */
export const deleteReportKey = (
  serverId: number,
  caller: Caller,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<void> =>
  inCallersTransaction(sequelize, async (transaction) => {
    await lockAgainstReports(serverId, transaction);
    const { SurvivalReportKey: Key } = modelsOf(transaction);
    const deleted = await Key.destroy({ where: { serverId }, transaction });
    if (deleted === 0) throw notFoundError("The server has no report key");
    await recordReportKey("delete", serverId, caller, transaction);
  });

/** Locks the source, so that no report arrives during the change, and then the server. */
async function lockAgainstReports(id: number, transaction: Transaction): Promise<void> {
  await lockSource(id, transaction);
  if (!(await lockServerShared(id, transaction))) throw notFoundError("Unknown server");
}

const recordReportKey = (
  verb: "create" | "delete",
  serverId: number,
  actor: Caller,
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    {
      actor,
      action: `survival.server.report-key.${verb}`,
      target: { type: "survival_server", id: serverId },
    },
    transaction,
  );
