import type { Context } from "../platform/context.ts";
import { version } from "../platform/process/version.ts";
import { readSiteMode, type SiteMode } from "../platform/settings/site-mode.ts";
import { readShardStatus } from "../shard/public/status.ts";
import { readServers } from "../survival/servers/read-servers.ts";

export interface PublicStatus extends SiteMode {
  readonly version: string;
  /** The features of this release, as words that clients check instead of the version. */
  readonly capabilities: readonly string[];
  readonly shard: { readonly enabled: boolean; readonly status: string };
  readonly survival: { readonly servers: number; readonly online: number };
  readonly time: Date;
}

/** CATALOGUE of this release's features. A word never changes its meaning. */
const capabilities = [
  "news",
  "wiki",
  "pages",
  "search",
  "events",
  "appeals",
  "market",
  "atlas",
  "map",
  "survival",
  "push",
  "webhooks",
] as const;

/** Reads the status of the site and of the game server links from the database. */
export async function readPublicStatus({ models, sequelize }: Context): Promise<PublicStatus> {
  const [mode, { enabled, status }, servers] = await Promise.all([
    readSiteMode({ models }),
    readShardStatus(sequelize),
    readServers({ models, sequelize }, { listed: true }),
  ]);
  const online = servers.filter((server) => server.online).length;
  const survival = { servers: servers.length, online };
  return { ...mode, version, capabilities, shard: { enabled, status }, survival, time: new Date() };
}
