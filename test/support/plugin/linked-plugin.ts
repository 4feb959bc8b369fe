import type { SignedIn } from "../accounts/sign-in.ts";
import { query } from "../database/query.ts";
import { callRoute } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";
import { TestPlugin } from "./test-plugin.ts";

/**
 * Links the shard to a plugin, as an administrator does.
 * @returns the plugin, which has made no call yet
 */
export async function linkShardPlugin(
  server: TestServer,
  { headers }: Pick<SignedIn, "headers">,
): Promise<TestPlugin> {
  const saved = await callRoute(server, "PUT /admin/shardlink/config", {
    headers,
    body: { kind: "plugin", enabled: true },
  });
  if (saved.status !== 200) throw new Error(`the link was answered ${saved.text}`);
  return new TestPlugin(server, await makeShardKey(server, { headers }));
}

export async function makeShardKey(
  server: TestServer,
  { headers }: Pick<SignedIn, "headers">,
): Promise<string> {
  const made = await callRoute(server, "POST /admin/shardlink/plugin-key", { headers, body: {} });
  if (made.status !== 201) throw new Error(`the key was answered ${made.text}`);
  return (made.body as { key: string }).key;
}

/** Deletes the data of all plugins, with their keys and commands. */
export const forgetPlugins = (server: TestServer) =>
  query(server, "truncate plugin_keys, plugin_sessions, plugin_inbox, plugin_commands");
