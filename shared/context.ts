import type { Sequelize } from "sequelize";

import type { Models } from "../models/index.ts";
import type { Config } from "./config/config.ts";
import type { Listener } from "./db/listen.ts";
import type { Logger } from "./log.ts";
import type { Queue } from "./queue/queue.ts";
import type { VisibilityStore } from "./shard/visibility-store.ts";

/** What a process builds once and hands down as the last argument. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly sequelize: Sequelize;
  readonly models: Models;
  readonly queue: Queue;
  readonly listener: Listener;
  readonly visibility: VisibilityStore;
}
