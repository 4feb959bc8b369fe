import type { Context } from "../../../shared/context.ts";
import { type AdaptedSidecar, PluginAdapter } from "../../simulator/plugin/plugin-adapter.ts";
import { addressOf } from "../service/addresses.ts";
import { buildPluginKey } from "./plugin-key.ts";

/** Whether tests of what is above a link run over plugins: `TEST_LINK=plugin`. */
export const linksByPlugin = process.env["TEST_LINK"] === "plugin";

const started = new Map<string, PluginAdapter>();

/** Has the game of a simulated sidecar call the site as a plugin. The one before it of this source ends. */
export async function callAsPlugin(
  sidecar: AdaptedSidecar,
  { source, game, protocol }: { source: string; game: "uo" | "rust"; protocol: number },
  context: Context,
): Promise<void> {
  const { DATABASE_URL } = context.config;
  const name = `${DATABASE_URL} ${source}`;
  await started.get(name)?.stop();
  const key = await buildPluginKey({ context }, source);
  const url = `${addressOf(DATABASE_URL)}/api/v1/plugin`;
  started.set(name, new PluginAdapter({ sidecar, game, protocol, url, key }));
}

/** Ends the plugins that call the sites of a database. */
export async function endPlugins(databaseUrl: string): Promise<void> {
  for (const [name, adapter] of started) {
    if (!name.startsWith(`${databaseUrl} `)) continue;
    started.delete(name);
    await adapter.stop();
  }
}
