import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  createKey,
  deleteKeys,
  type KeyActivity,
  type NewPluginKey,
  requirePluginKind,
} from "../../platform/plugin/link.ts";
import { sourceNameOf } from "../server-locks.ts";

const targetOf = (id: number): KeyActivity => ({
  source: sourceNameOf(id),
  action: "survival.server.key",
  target: { type: "survival_server", id },
});

/** Creates a key for a server's plugin. @throws AppError missing; link_kind for another link kind */
export const createServerKey = (
  id: number,
  caller: Caller,
  { sequelize, config }: Context,
): Promise<NewPluginKey> =>
  inCallersTransaction(sequelize, async (transaction) => {
    const { kind } = await lockServer(id, transaction);
    requirePluginKind(kind);
    const key = await createKey(targetOf(id), { caller, config }, transaction);
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
    const ended = await deleteKeys(targetOf(id), caller, transaction);
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
