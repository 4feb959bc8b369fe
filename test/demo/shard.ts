import type { Caller } from "../../shared/auth/caller.ts";
import type { Context } from "../../shared/context.ts";
import { LaunchFault } from "../../shared/local/launch-fault.ts";
import { saveShardlinkConfig } from "../../shared/shard/shardlink-config.ts";
import { readShardlink } from "../../shared/shard/shardlink.ts";

export interface DemoLink {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
}

const protocol = 8;

/**
 * Links the site to the demo's shard, as its administrator would.
 * @throws {LaunchFault} rather than cut a link to a shard that is no demo's
 */
export async function linkShard(link: DemoLink, admin: Caller, context: Context): Promise<void> {
  const before = await readShardlink(context.sequelize);
  if (before.enabled && !isOnThisMachine(before.baseUrl)) {
    throw new LaunchFault(
      `This database is linked to the shard at ${before.baseUrl}: the demo needs a database of its own`,
    );
  }
  await saveShardlinkConfig({ ...link, protocol, enabled: true }, admin, context);
}

const isOnThisMachine = (url: string): boolean =>
  ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
