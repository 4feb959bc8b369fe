import type { Caller } from "../../shared/auth/caller/caller.ts";
import type { Context } from "../../shared/context.ts";
import { LaunchFault } from "../../shared/local/launch-fault.ts";
import { readSidecarLink } from "../../shared/shard/sidecar/sidecar-link.ts";
import { saveSidecarLinkConfig } from "../../shared/shard/staff/sidecar-link-config.ts";
import { isOnThisMachine } from "./this-machine.ts";

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
  const before = await readSidecarLink(context.models);
  if (before.enabled && !isOnThisMachine(before.baseUrl)) {
    throw new LaunchFault(
      `This database is linked to the shard at ${before.baseUrl}: the demo needs a database of its own`,
    );
  }
  await saveSidecarLinkConfig({ ...link, protocol, enabled: true }, admin, context);
}
