import type { Sequelize } from "sequelize";

import type { Models } from "../models/index.ts";
import type { BanList } from "./auth/ban-list.ts";
import type { RateLimits } from "./auth/rate-limits.ts";
import type { Config } from "./config/config.ts";
import type { Listener } from "./db/listen.ts";
import type { Logger } from "./log.ts";
import type { Mail } from "./net/mail.ts";
import type { HeardValue } from "./notify/heard-value.ts";
import type { Queue } from "./queue/queue.ts";
import type { CharacterOwners } from "./shard/character-owners.ts";
import type { ShardControl } from "./shard/shard-control.ts";
import type { Visibility } from "./shard/visibility.ts";
import type { SiteMode } from "./site/site-mode.ts";

/** What a process builds once and hands down as the last argument. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly queue: Queue;
  readonly listener: Listener;
  /** What each audience may see; a change reaches gates and open streams within a second. */
  readonly visibility: HeardValue<Visibility>;
  readonly shard: ShardControl;
  readonly characterOwners: CharacterOwners;
  readonly siteMode: HeardValue<SiteMode>;
  readonly rateLimits: RateLimits;
  readonly bans: BanList;
  readonly mail: Mail;
}
