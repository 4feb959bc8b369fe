import { writeFileSync } from "node:fs";

import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { ServerLinkKind } from "../../models/survival/survival-server.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import {
  changeServer,
  createServer,
  type ServerChange,
} from "../../shared/survival/servers/manage-servers.ts";
import { createServerKey } from "../../shared/survival/servers/server-keys.ts";
import { isOnThisMachine } from "./this-machine.ts";

/** A survival server of the demo, with the link to the address at which it listens now. */
export interface DemoServer {
  readonly slug: string;
  readonly name: string;
  readonly link: ServerChange & { readonly kind: ServerLinkKind };
  /** The file in which the simulated game finds its plugin key. */
  readonly keyFile?: string;
}

/**
 * Links the site to the demo's survival servers.
 * @throws {LaunchError} if it would replace the link of a real server
 */
export async function linkSurvivalServers(
  servers: readonly DemoServer[],
  admin: Caller,
  context: SiteContext,
): Promise<void> {
  for (const [sort, server] of servers.entries()) {
    const id = await linkServer(server, { sort, admin }, context);
    if (!server.keyFile) continue;
    const { key } = await createServerKey(id, admin, context);
    writeFileSync(server.keyFile, key, { mode: 0o600 });
  }
}

async function linkServer(
  { slug, name, link }: DemoServer,
  { sort, admin }: { readonly sort: number; readonly admin: Caller },
  context: SiteContext,
): Promise<number> {
  const known = await context.models.SurvivalServer.findOne({ where: { slug } });
  if (!known) {
    const settings = { ...publicParts, enabled: true, listed: true, sort };
    return createServer({ slug, name, ...link, ...settings }, admin, context);
  }
  if (known.baseUrl && !isOnThisMachine(known.baseUrl)) {
    throw new LaunchError(
      `This database has a survival server ${slug} at ${known.baseUrl}: the demo needs a database of its own`,
    );
  }
  await changeServer(known.id, { ...link, enabled: true }, admin, context);
  return known.id;
}

const publicParts = {
  region: "Europe",
  connect: "play.example.org:28015",
  wipeRule: "weekly",
  wipeDay: 4,
  wipeTime: "19:00",
  wipeTimezone: "Europe/London",
} as const;
