import type { CommandLossReason } from "../../../models/plugin/plugin-command.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import { executeStatement, type Database, rows } from "../db/rows.ts";
import { notify } from "../notify/channels.ts";
import {
  deleteLargeOutcomesSql,
  deleteOldCommandsSql,
  deleteUnneededOutcomesSql,
  markCommandsLostSql,
} from "./commands.sql.ts";
import { deleteOldKeysSql } from "./keys.sql.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";

/** Maximum number of ids per notification, whose payload must be below 8,000 bytes. */
const idsAtOnce = 100;

/** Wakes the callers of commands that were answered or lost. */
export async function notifyCommandOutcomes(
  ids: readonly string[],
  database: Database,
): Promise<void> {
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    await notify("plugin_outcomes", { ids: ids.slice(from, from + idsAtOnce) }, database);
  }
}

/**
 * Marks commands as lost if a former game process took them and did not answer, because the present process
 * cannot answer them. The keys of these commands can be used again.
 */
export async function markTakenCommandsLost(source: string, database: Database): Promise<void> {
  const lost = await rows<{ id: string }>(
    database,
    markCommandsLostSql("restarted", "source = $1"),
    [source],
  );
  await notifyCommandOutcomes(
    lost.map(({ id }) => id),
    database,
  );
}

/** Marks commands as lost if the response with them could not be sent, so the plugin never got them. */
export async function markUnwrittenCommandsLost(
  ids: readonly string[],
  database: Database,
): Promise<void> {
  await rows(database, markCommandsLostSql("unwritten", "id = any($1::uuid[])"), [ids]);
  await notifyCommandOutcomes(ids, database);
}

/** Marks commands without an outcome as lost, long after their deadline. @returns their number */
async function markOverdueLost(database: Database): Promise<number> {
  const lost = await rows<{ id: string }>(
    database,
    markCommandsLostSql(
      "overdue",
      "answer_before < clock_timestamp() - make_interval(mins => $1::integer)",
    ),
    [pluginLimits.lostMinutes],
  );
  await notifyCommandOutcomes(
    lost.map(({ id }) => id),
    database,
  );
  return lost.length;
}

/**
 * Deletes each game server's oldest large outcomes beyond its limit. Large outcomes are kept for repeated
 * commands. Outcomes of the last 30 seconds stay for their waiting callers.
 * @param source the game server; null for all
 */
export const deleteLargeOutcomes = (source: string | null, database: Database): Promise<number> =>
  executeStatement(database, deleteLargeOutcomesSql, [source, pluginLimits.largeOutcomesBytes]);

/**
 * Deletes outcomes that nobody can request: those of refused commands, whose keys can be used again, and those of
 * commands whose calling process has ended.
 * @returns their number
 */
const deleteUnneededOutcomes = (database: Database): Promise<number> =>
  executeStatement(database, deleteUnneededOutcomesSql, [pluginLimits.lostMinutes]);

interface LossMessages {
  readonly reason: string;
  /** Message for the caller of a command; `ofRead` is for the caller of a read. */
  readonly ofCommand: string;
  readonly ofRead: string;
}

/** CATALOGUE of the messages about a lost command, by the cause of the loss. */
const losses: Readonly<Record<CommandLossReason, LossMessages>> = {
  unwritten: {
    reason: "the connection of the plugin broke while the command was sent to it",
    ofCommand:
      "The connection to the plugin broke while the site sent the command. The plugin probably did " +
      "not receive it: check in the game that the command was not executed, then send it again",
    ofRead: "The connection to the plugin broke while the site sent the request: send it again",
  },
  restarted: {
    reason: "the game server restarted after the plugin took the command, and before it answered",
    ofCommand:
      "The game server restarted after it received the command and before it answered. Nobody knows " +
      "whether the command was executed: check in the game before you send it again",
    ofRead: "The game server restarted before it answered: send the request again",
  },
  overdue: {
    reason: "the plugin took the command and did not answer",
    ofCommand:
      "The game server received the command and did not answer in time. Nobody knows whether the " +
      "command was executed: check in the game before you send it again",
    ofRead: "The game server received the request and did not answer in time: send it again",
  },
  unsent: {
    reason: "the connection to the console ended before the command was sent",
    ofCommand:
      "The connection to the game server's console ended before the command was sent. The command " +
      "was not executed: send it again",
    ofRead:
      "The connection to the game server's console ended before the request was sent: send it again",
  },
  disconnected: {
    reason: "the connection to the console ended after the command was sent, and before its answer",
    ofCommand:
      "The connection to the game server's console ended after the command was sent and before it " +
      "was answered. Nobody knows whether the command was executed: check in the game before you " +
      "send it again",
    ofRead: "The connection to the game server's console ended before the answer: send it again",
  },
};

/** Creates the error for the caller of a lost command. @param loss null if an earlier release set it */
export function lostCommandError(loss: CommandLossReason | null, isRead: boolean): BridgeError {
  const { reason, ofCommand, ofRead } = losses[loss ?? "restarted"];
  const told = isRead ? ofRead : ofCommand;
  return new BridgeError("SHARD_DOWN", {
    reason,
    told,
    retryAfter: 10,
    isUnsent: loss === "unsent",
  });
}

/**
 * Marks overdue commands as lost. Deletes commands that nobody waits for, outcomes that nobody can request, and
 * keys that ended long ago. The rows of reads are kept for an hour.
 */
export async function pruneCommandsAndKeys({
  sequelize,
}: Pick<PluginServices, "sequelize">): Promise<Readonly<Record<string, number>>> {
  const lost = await markOverdueLost(sequelize);
  const commands = await executeStatement(sequelize, deleteOldCommandsSql, [
    pluginLimits.rememberedHours,
  ]);
  const outcomes =
    (await deleteUnneededOutcomes(sequelize)) + (await deleteLargeOutcomes(null, sequelize));
  const keys = await executeStatement(sequelize, deleteOldKeysSql, [pluginLimits.endedKeyDays]);
  return { lost, commands, outcomes, keys };
}
