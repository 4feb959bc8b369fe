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

/** CATALOG of the calls that a plugin must have a capability for, by how their paths begin. */
const needed: Readonly<
  Record<PluginGame, readonly (readonly [path: string, capability: string])[]>
> = {
  uo: [
    ["/v1/clilocs", "clilocs"],
    ["/v1/assets", "assets"],
    ["/v1/atlas", "atlas"],
    ["/v1/bodies", "bodies"],
    ["/v1/pages", "pages"],
    ["/v1/towncrier", "towncrier"],
    ["/v1/accounts", "signup"],
    ["/v1/signup-mode", "signup"],
    ["/v1/links", "links"],
    ["/v1/champions", "champions"],
  ],
  // The survival module asks for its capabilities itself, by what `server.hello` says.
  rust: [],
};

/** Reads of one account need no capability, though creating accounts does. */
const withoutCapability = ["/v1/accounts/:account/roster", "/v1/accounts/:account/vendors"];

/** The capability that a call needs; null where every plugin of the game has it. */
export function capabilityOf(path: string, game: PluginGame): string | null {
  if (withoutCapability.includes(path)) return null;
  const need = needed[game].find(([begin]) => path === begin || path.startsWith(`${begin}/`));
  return need?.[1] ?? null;
}
