import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Context } from "../../shared/platform/context.ts";
import { readPluginStatus } from "../../shared/platform/plugin/link.ts";
import { shardSourceName } from "../../shared/platform/plugin/sources.ts";
import {
  readSidecarLink,
  type StoredSidecarLink,
} from "../../shared/shard/sidecar/sidecar-link.ts";
import { saveSidecarLinkConfig } from "../../shared/shard/staff/sidecar-link-config.ts";
import { isOnThisMachine, isThisMachine } from "./this-machine.ts";

export interface DemoShardLink {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
}

const protocol = 8;

/**
 * Links the site to the demo's shard, and replaces a link of another kind.
 * @throws {LaunchError} if the site is linked to a real shard
 */
export async function linkShard(
  link: DemoShardLink,
  admin: Caller,
  context: SiteContext,
): Promise<void> {
  const real = await realShard(await readSidecarLink(context.models), context);
  if (real !== null) {
    throw new LaunchError(
      `This database is linked to ${real}: the demo needs a database of its own. To give this one to the demo, ` +
        "run npm start and set enabled of the link to false: PUT /api/v1/admin/shardlink/config",
    );
  }
  await saveSidecarLinkConfig(
    { kind: "sidecar", ...link, protocol, enabled: true },
    admin,
    context,
  );
}

/**
 * Describes the linked shard if it is a real one.
 * @returns null if the link is off or leads to the demo's shard
 */
async function realShard(link: StoredSidecarLink, { sequelize }: Context): Promise<string | null> {
  const { kind, enabled, baseUrl, statusHost } = link;
  if (!enabled) return null;
  if (kind === "plugin") {
    const { keyLastUsedAt } = await readPluginStatus(shardSourceName, sequelize);
    return keyLastUsedAt && "a shard whose plugin has called it";
  }
  if (kind === "status") return isThisMachine(statusHost) ? null : `the shard at ${statusHost}`;
  return isOnThisMachine(baseUrl) ? null : `the shard at ${baseUrl}`;
}
