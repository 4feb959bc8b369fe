/** The games whose servers a plugin links. */
export const pluginGames = ["uo", "rust"] as const;
export type PluginGame = (typeof pluginGames)[number];

/** The name of the shard in `ingest_sources`. */
export const shardSourceName = "shard";

/** Which game the server of a source runs. */
export const gameOf = (source: string): PluginGame => (source === shardSourceName ? "uo" : "rust");

/**
 * SQL that says whether a source is enabled and linked by a plugin.
 * @param source the SQL of its name
 */
export const isLinkedByPlugin = (source: string): string => `(
  case when ${source} = '${shardSourceName}'
    then exists (select from shardlink where enabled and kind = 'plugin')
    else exists (select from survival_servers server
      where 'survival:' || server.id = ${source} and server.enabled and server.kind = 'plugin') end)`;
