import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { PluginAdapter } from "../../simulator/plugin/plugin-adapter.ts";
import type { AdaptedSidecar } from "../../simulator/plugin/sidecar-line.ts";
import { waitUntil } from "../clock/wait.ts";
import { type DatabaseHolder, query } from "../database/query.ts";
import { addressOf } from "../service/addresses.ts";
import { buildPluginKey } from "./plugin-key.ts";

/** True if games are linked by plugins in this run, because `TEST_LINK=plugin` is set. */
export const linksByPlugin = process.env["TEST_LINK"] === "plugin";

interface StartedPlugin {
  readonly source: string;
  readonly databaseUrl: string;
  readonly wsUrl: string;
  readonly adapter: PluginAdapter;
}

let started: readonly StartedPlugin[] = [];

/**
 * Makes the game of a simulated sidecar call the site like a game with a plugin. First stops the earlier plugins
 * of this source and of this game, because a game has only one plugin.
 */
export async function callAsPlugin(
  sidecar: AdaptedSidecar,
  { source, game, protocol }: { source: string; game: "uo" | "rust"; protocol: number },
  context: SiteContext,
): Promise<void> {
  const { DATABASE_URL: databaseUrl } = context.config;
  const { wsUrl } = sidecar;
  await end(
    (one) => (one.databaseUrl === databaseUrl && one.source === source) || one.wsUrl === wsUrl,
  );
  const key = await buildPluginKey({ context }, source);
  const url = `${addressOf(databaseUrl)}/api/v1/plugin`;
  const onGone = () => fallSilent(source, context);
  const adapter = new PluginAdapter({ sidecar, game, protocol, url, key, onGone });
  started = [...started, { source, databaseUrl, wsUrl, adapter }];
  await adapter.greeted;
}

/** Stops all plugins that call the site with this database. */
export const endPlugins = (databaseUrl: string): Promise<void> =>
  end((one) => one.databaseUrl === databaseUrl);

async function end(isMeant: (one: StartedPlugin) => boolean): Promise<void> {
  const ending = started.filter(isMeant);
  started = started.filter((one) => !isMeant(one));
  await Promise.all(ending.map(({ adapter }) => adapter.stop()));
}

/** Makes the site consider the game offline at once, instead of 40 seconds after the plugin's last call. */
async function fallSilent(source: string, context: SiteContext): Promise<void> {
  const underWay = `
    select 1 as busy from plugin_sessions where source = $1 and (wait_id is not null
      or exists (select from plugin_keys where plugin_keys.source = $1 and calls <> '{}'))`;
  await waitUntil(
    "the plugin's calls have ended",
    async () => (await query({ context }, underWay, source)).length === 0,
  );
  const silence =
    "update plugin_sessions set alive_until = clock_timestamp() where source = $1 returning source";
  await query({ context }, silence, source);
}

/**
 * Waits until all plugins that were started call the site, for example after their game has
 * restarted.
 */
export async function waitUntilPluginsCall(on: DatabaseHolder): Promise<void> {
  const silent = "select source from plugin_sessions where wait_id is null";
  await waitUntil("every plugin calls", async () => (await query(on, silent)).length === 0);
}

/** Waits until a plugin in this game process calls the site. Returns at once if games have sidecars in this run. */
export async function waitUntilPluginCalls(
  on: DatabaseHolder,
  { source, bootId }: { readonly source: string; readonly bootId: string | null },
): Promise<void> {
  if (!linksByPlugin) return;
  const calling =
    "select 1 as one from plugin_sessions where source = $1 and boot_id = $2 and wait_id is not null";
  const isCalling = async () => (await query(on, calling, source, bootId)).length > 0;
  await waitUntil("the plugin calls", isCalling);
}
