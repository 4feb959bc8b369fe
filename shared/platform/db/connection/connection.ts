import pg from "pg";
import { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import { clientWith, connectWithin } from "./client.ts";
import { followGenerations, isFit } from "./pool-use.ts";
import { directUrlOf, type Patience, usualPatience } from "./session-settings.ts";

/**
 * The pool of one process. Every session runs in UTC: Sequelize says so by a statement, and through a
 * transaction pooler, where that would reach whoever has the connection next, the client and the role
 * do. A connection that leaves a statement unanswered is given up, so that a half-open one holds nobody for as long as TCP would.
 * @param statementMs that any statement may take, where it is more than is configured: such a pool goes
 * straight to the server, since a pooler's connections have the usual patience
 */
export function connect(config: Config, process: string, statementMs = 0): Sequelize {
  const isLong = statementMs > config.DATABASE_TIMEOUT;
  const patience: Patience = isLong
    ? { statementMs, idleMs: config.DATABASE_TIMEOUT }
    : usualPatience(config);
  const connectMs = Math.min(connectWithin.connectionTimeoutMillis, config.DATABASE_TIMEOUT);
  const sequelize: Sequelize = new Sequelize(isLong ? directUrlOf(config) : config.DATABASE_URL, {
    dialect: "postgres",
    dialectModule: { ...pg, Client: clientWith(patience) },
    logging: false,
    timezone: "+00:00",
    ...(patience.isPooled && { keepDefaultTimezone: true }),
    define: { underscored: true, timestamps: false },
    pool: {
      max: config.DATABASE_POOL,
      min: 0,
      idle: 30_000,
      acquire: connectMs,
      validate: (connection) => isFit(connection as object, sequelize),
    },
    dialectOptions: {
      ...connectWithin,
      connectionTimeoutMillis: connectMs,
      application_name: `guildhall ${process}`,
      ...(patience.isPooled && { clientMinMessages: "ignore" }),
    },
  });
  followGenerations(sequelize);
  return sequelize;
}
