import type { Context } from "../platform/context.ts";
import { version } from "../platform/process/version.ts";
import { readSiteMode, type SiteMode } from "../platform/settings/site-mode.ts";
import { readShardStatus } from "../shard/public/status.ts";
import { readServers } from "../survival/servers/read-servers.ts";

export interface PublicStatus extends SiteMode {
  readonly version: string;
  /** What this release can do, as words: clients ask for the word, not for the version. */
  readonly capabilities: readonly string[];
  readonly shard: { readonly enabled: boolean; readonly status: string };
  readonly survival: { readonly servers: number; readonly online: number };
  readonly time: Date;
}

/** CATALOGUE of what this release has; a word is never taken for another thing. */
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

/** How the site and the links to the game servers stand, from our own tables. */
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
