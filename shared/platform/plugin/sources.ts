export const pluginGames = ["uo", "rust"] as const;
export type PluginGame = (typeof pluginGames)[number];

export const shardSourceName = "shard";

export const gameOf = (source: string): PluginGame => (source === shardSourceName ? "uo" : "rust");

/** SQL condition: true if a source is enabled and linked by a plugin. @param source SQL of its name */
export const isLinkedByPluginSql = (source: string): string => `(
  case when ${source} = '${shardSourceName}'
    then exists (select from shardlink where enabled and kind = 'plugin')
    else exists (select from survival_servers server
      where 'survival:' || server.id = ${source} and server.enabled and server.kind = 'plugin') end)`;

/** SQL condition: true if a survival server is enabled and linked by its console. @param source SQL of its name */
export const isLinkedByConsoleSql = (source: string): string => `(
  exists (select from survival_servers server
    where 'survival:' || server.id = ${source} and server.enabled and server.kind = 'webrcon'))`;

/**
 * SQL that protects a source from deletion until the transaction ends. Run it before the session is locked: an
 * insert into the inbox or the commands locks the source too, but in the wrong order.
 * @param source SQL of the source's name
 */
export const lockSourceSql = (source: string): string =>
  `select source from ingest_sources where source = ${source} for key share`;

/** CATALOGUE of the capabilities that calls need, by the beginning of their paths. */
const requiredCapabilities: Readonly<
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
  // The survival module itself checks the capabilities that `server.hello` reports.
  rust: [],
};

/** Reads of one account need no capability, although creating an account does. */
const exemptPaths = ["/v1/accounts/:account/roster", "/v1/accounts/:account/vendors"];

/** Returns the capability that a call needs; null if it needs none. */
export function findRequiredCapability(path: string, game: PluginGame): string | null {
  if (exemptPaths.includes(path)) return null;
  const need = requiredCapabilities[game].find(
    ([begin]) => path === begin || path.startsWith(`${begin}/`),
  );
  return need?.[1] ?? null;
}
