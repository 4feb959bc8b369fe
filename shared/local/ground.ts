import type { Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";

/** What a program of the operator's shell works on; it needs no queue and no listener. */
export interface Ground {
  readonly config: Config;
  readonly sequelize: Sequelize;
}
