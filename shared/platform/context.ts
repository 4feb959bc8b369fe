import type { Sequelize } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { Config } from "./config/config.ts";
import type { DatabaseWatch } from "./db/connection/database-watch.ts";
import type { DatabaseWaiter } from "./db/connection/start-wait.ts";
import type { Logger } from "./log.ts";
import type { Mail } from "./net/mail.ts";
import type { Listener } from "./notify/listener.ts";
import type { WatchedValue } from "./notify/live-value.ts";
import type { Queue } from "./queue/queue.ts";
import type { Settings } from "./settings/catalogue.ts";
import type { SiteMode } from "./settings/site-mode.ts";
import type { AddressBanList } from "./throttle/ban-list.ts";
import type { RateLimits } from "./throttle/rate-limits.ts";

/** Created once per process and passed to functions as their last argument. Modules may extend it. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly sequelize: Sequelize;
  readonly database: DatabaseWatch;
  readonly startWait: DatabaseWaiter;
  readonly models: Models;
  readonly queue: Queue;
  readonly listener: Listener;
  readonly siteMode: WatchedValue<SiteMode>;
  readonly settings: WatchedValue<Settings>;
  readonly rateLimits: RateLimits;
  readonly bans: AddressBanList;
  readonly mail: Mail;
}
