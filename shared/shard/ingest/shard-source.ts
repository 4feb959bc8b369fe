import { serviceActor } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import type { FrameSourceOptions } from "../../platform/bridge/socket/feed.ts";
import type { Context } from "../../platform/context.ts";
import { readDatabaseTime } from "../../platform/db/stale-answers.ts";
import type { SourceOwnership } from "../../platform/ingest/ownership.ts";
import type { GameServerSource } from "../../platform/ingest/source.ts";
import type { StateRequest } from "../../platform/ingest/state-requests.ts";
import { listLinksCall, resyncCall } from "../calls/account-calls.ts";
import type { ShardContext } from "../context.ts";
import { enqueueUnlinking } from "../links/unlinking.ts";
import { reconcileLinks } from "../owners/link-mirror.ts";
import { readSidecarLink, toUsableLink } from "../sidecar/sidecar-link.ts";
import { StatusFeed } from "../sidecar/status-feed.ts";
import { readStaleStates } from "../states/stale.ts";
import { shardHandlers } from "./shard-game.ts";

export function createShardSource(context: ShardContext): GameServerSource {
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

/**
 * Requests that ingest sends to the shard's sidecar: for the list of links, and for snapshots of stale states.
 */
export const shardStateRequests = (context: Pick<Context, "queue">): readonly StateRequest[] => [
  (control, owner) => requestLinks(control, owner, context),
  requestStaleStates,
];

async function requestLinks(
  control: ControlClient,
  owner: SourceOwnership,
  context: Pick<Context, "queue">,
): Promise<boolean> {
  const askedAt = await owner.run(readDatabaseTime);
  const { links } = await control.read(listLinksCall);
  await owner.runTransaction(async (connection) => {
    await owner.lockFence(connection);
    await reconcileLinks(links, askedAt, connection);
    await enqueueUnlinking(links, connection, context);
  });
  return false;
}

async function requestStaleStates(
  control: ControlClient,
  owner: SourceOwnership,
): Promise<boolean> {
  const families = await owner.run((connection) => readStaleStates(owner.source, connection));
  if (families.length === 0) return false;
  await control.command(resyncCall, { actor: serviceActor }, { body: { families } });
  return true;
}
