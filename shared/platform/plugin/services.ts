import type { Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";
import type { Logger } from "../log.ts";
import type { Listener } from "../notify/listener.ts";

export interface PluginServices {
  readonly config: Pick<Config, "JWT_KEYS">;
  readonly listener: Listener;
  readonly log: Logger;
  readonly sequelize: Sequelize;
}
