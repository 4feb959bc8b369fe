import type { FrameSourceOptions } from "../../platform/bridge/socket/feed.ts";
import type { GameServerSource } from "../../platform/ingest/source.ts";
import type { ShardContext } from "../context.ts";
import { readSidecarLink, toUsableLink } from "../sidecar/sidecar-link.ts";
import { StatusFeed } from "../sidecar/status-feed.ts";
import { shardHandlers } from "./shard-game.ts";
import { shardStateRequests } from "./state-requests.ts";

export function shardSource(context: ShardContext): GameServerSource {
  return {
    name: "shard",
    readLink: async () => {
      const link = toUsableLink(await readSidecarLink(context.models), context.config.SECRETS_KEYS);
      if (link?.kind !== "status") {
        return link && { ...link, connect: () => context.shard.connect(link) };
      }
      const openFeed = (options: FrameSourceOptions) => new StatusFeed(link, options);
      return { ...link, openFeed };
    },
    onChange: (changed) => context.listener.on("shardlink_config", changed),
    questions: shardStateRequests(context),
    game: shardHandlers(context),
  };
}
