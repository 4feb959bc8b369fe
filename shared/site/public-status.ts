import type { Sequelize } from "sequelize";

import { readShardStatus } from "../shard/status.ts";
import { version } from "../version.ts";
import { readSiteMode, type SiteMode } from "./site-mode.ts";

export interface PublicStatus extends SiteMode {
  readonly version: string;
  /** What this release can do, as words: clients ask for the word, not for the version. */
  readonly capabilities: readonly string[];
  readonly shard: { readonly enabled: boolean; readonly status: string };
  readonly time: Date;
}

const capabilities: readonly string[] = [];

/** How the site and the shard's link stand, from our own tables. */
export async function readPublicStatus(sequelize: Sequelize): Promise<PublicStatus> {
  const [mode, { enabled, status }] = await Promise.all([
    readSiteMode(sequelize),
    readShardStatus(sequelize),
  ]);
  return { ...mode, version, capabilities, shard: { enabled, status }, time: new Date() };
}
