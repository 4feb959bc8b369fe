import { countChanged } from "../db/rows.ts";
import { dropLarge, dropUnasked, loseOverdue } from "./outcomes.ts";
import type { PluginParts } from "./parts.ts";
import { pluginLimits } from "./plugin-limits.ts";

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
