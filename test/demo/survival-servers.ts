import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { changeServer, createServer } from "../../shared/survival/servers/manage-servers.ts";
import { isOnThisMachine } from "./this-machine.ts";

/** A survival server of the demo, with the address at which it listens now. */
export interface DemoServer {
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
}

/**
 * Links the site to the demo's survival servers.
 * @throws {LaunchFault} if it would replace the link of a real server
 */
export async function linkSurvivalServers(
  servers: readonly DemoServer[],
  admin: Caller,
  context: SiteContext,
): Promise<void> {
  for (const [sort, server] of servers.entries()) {
    const { slug, name, ...link } = server;
    const known = await context.models.SurvivalServer.findOne({ where: { slug } });
    if (!known) {
      const settings = { ...publicParts, enabled: true, listed: true, sort };
      await createServer({ slug, name, ...link, ...settings }, admin, context);
      continue;
    }
    if (known.baseUrl && !isOnThisMachine(known.baseUrl)) {
      throw new LaunchError(
        `This database has a survival server ${slug} at ${known.baseUrl}: the demo needs a database of its own`,
      );
    }
    await changeServer(known.id, { ...link, enabled: true }, admin, context);
  }
}

const publicParts = {
  region: "Europe",
  connect: "play.example.org:28015",
  wipeRule: "weekly",
  wipeDay: 4,
  wipeTime: "19:00",
  wipeTimezone: "Europe/London",
} as const;
