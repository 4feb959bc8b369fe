import pg, { types } from "pg";
import { Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";

// int8 arrives as text unless told otherwise; every one of ours stays below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

// pg's own table of types leaves the arrays out.
const int8Array = 1016 as TypeId;
types.setTypeParser(int8Array, (text: string) =>
  text.slice(1, -1).split(",").filter(Boolean).map(Number),
);

type TypeId = Parameters<typeof types.setTypeParser>[0];

/** The pool of one process. Every session runs in UTC. */
export function connect(config: Config, process: string): Sequelize {
  return new Sequelize(config.DATABASE_URL, {
    dialect: "postgres",
    dialectModule: pg,
    logging: false,
    timezone: "+00:00",
    define: { underscored: true, timestamps: false },
    pool: { max: config.DATABASE_POOL, min: 0, idle: 30_000, acquire: 10_000 },
    dialectOptions: { application_name: `guildhall ${process}`, keepAlive: true },
  });
}
