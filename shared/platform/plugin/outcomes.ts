import type { CommandLoss } from "../../../models/plugin/plugin-command.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import { countChanged, type Database, rows } from "../db/rows.ts";
import { notify } from "../notify/channels.ts";
import type { PluginParts } from "./parts.ts";
import { pluginLimits } from "./plugin-limits.ts";

/** Ids of one notification at most, which takes less than 8,000 bytes. */
const idsAtOnce = 100;

/** Wakes the callers of commands that have their outcome, or are lost. */
export async function tellOutcomes(ids: readonly string[], database: Database): Promise<void> {
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    await notify("plugin_outcomes", { ids: ids.slice(from, from + idsAtOnce) }, database);
  }
}

/** SQL that gives up commands that are taken; it locks them in their order. @param which a condition */
const losing = (loss: CommandLoss, which: string): string => `
  with lost as (
    select number from plugin_commands where state = 'taken' and ${which}
    order by number for update)
  update plugin_commands set state = 'lost', loss = '${loss}' from lost
  where plugin_commands.number = lost.number returning id`;

/**
 * Gives up the commands that a game process took and did not answer: the process that follows it, or
 * that lost its memory, cannot answer them. Their keys are free again.
 */
export async function loseTaken(source: string, database: Database): Promise<void> {
  const lost = await rows<{ id: string }>(database, losing("restarted", "source = $1"), [source]);
  await tellOutcomes(
    lost.map(({ id }) => id),
    database,
  );
}

/** Gives up the commands of an answer that could not be written: the plugin never got them. */
export async function loseUnwritten(ids: readonly string[], database: Database): Promise<void> {
  await rows(database, losing("unwritten", "id = any($1::uuid[])"), [ids]);
  await tellOutcomes(ids, database);
}

/** Gives up commands that were taken and have no outcome long after their time. @returns how many */
async function loseOverdue(database: Database): Promise<number> {
  const lost = await rows<{ id: string }>(
    database,
    losing("overdue", "answer_before < clock_timestamp() - make_interval(mins => $1::integer)"),
    [pluginLimits.lostMinutes],
  );
  await tellOutcomes(
    lost.map(({ id }) => id),
    database,
  );
  return lost.length;
}

/**
 * Drops the oldest of the large outcomes that are kept for repeats, where those of a game server are larger
 * together than is remembered of one. An outcome of the last half minute is left to whoever waits for it.
 * @param source the game server; null for all
 */
export const dropLarge = (source: string | null, database: Database): Promise<number> =>
  countChanged(database, droppingLarge, [source, pluginLimits.largeOutcomesBytes]);

const droppingLarge = `
  with large as (
    select number, answered_at, sum(octet_length(outcome)) over (
      partition by source order by answered_at desc, number desc) as bytes
    from plugin_commands
    where octet_length(outcome) > ${pluginLimits.smallOutcomeBytes}
      and ($1::text is null or source = $1)),
  dropped as (
    select number from plugin_commands
    where number in (select number from large
      where bytes > $2 and answered_at < clock_timestamp() - interval '30 seconds')
    for update skip locked)
  update plugin_commands set outcome = null from dropped
  where plugin_commands.number = dropped.number`;

/**
 * Drops outcomes that nobody can ask for: of refused commands, whose keys are free, and of commands whose
 * callers went away with their process. @returns how many
 */
const dropUnasked = (database: Database): Promise<number> =>
  countChanged(database, droppingUnasked, [pluginLimits.lostMinutes]);

export const droppingUnasked = `
  with dropped as (
    select number from plugin_commands
    where outcome is not null and (kept_for <> 'key' or status not between 200 and 299)
      and answered_at < clock_timestamp() - make_interval(mins => $1::integer)
      and answer_before < clock_timestamp() - make_interval(mins => $1::integer)
    for update skip locked)
  update plugin_commands set outcome = null from dropped
  where plugin_commands.number = dropped.number`;

interface Loss {
  /** For operators. */
  readonly reason: string;
  /** The texts for the caller of a command, and of a read. */
  readonly ofCommand: string;
  readonly ofRead: string;
}

/** CATALOG of what is known of a lost command, by why it was lost. */
const losses: Readonly<Record<CommandLoss, Loss>> = {
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
};

/** The answer to the caller of a lost command. @param loss null for one that an earlier release lost */
export function lostError(loss: CommandLoss | null, isRead: boolean): BridgeError {
  const { reason, ofCommand, ofRead } = losses[loss ?? "restarted"];
  const told = isRead ? ofRead : ofCommand;
  return new BridgeError("SHARD_DOWN", { reason, told, retryAfter: 10 });
}

/**
 * Gives up commands whose outcome is overdue, and deletes commands that nobody waits for, outcomes that
 * nobody can ask for and keys that ended long ago. A read is remembered for an hour, for a caller that died.
 */
export async function prunePlugins({
  sequelize,
}: Pick<PluginParts, "sequelize">): Promise<Readonly<Record<string, number>>> {
  const lost = await loseOverdue(sequelize);
  const commands = await countChanged(
    sequelize,
    `delete from plugin_commands where number in (
       select number from plugin_commands
       where created_at < clock_timestamp() - make_interval(hours => $1::integer)
         or (is_read or state = 'waiting') and created_at < clock_timestamp() - interval '1 hour'
       order by number for update skip locked)`,
    [pluginLimits.rememberedHours],
  );
  const outcomes = (await dropUnasked(sequelize)) + (await dropLarge(null, sequelize));
  const keys = await countChanged(
    sequelize,
    `delete from plugin_keys
     where least(ended_at, expires_at) < clock_timestamp() - make_interval(days => $1::integer)`,
    [pluginLimits.endedKeyDays],
  );
  return { lost, commands, outcomes, keys };
}
