import type { Sequelize } from "sequelize";

import type { Sql } from "./sql.ts";

/** Runs `work` on a connection of the pool that it has to itself, outside any transaction. */
export async function onPoolConnection<T>(
  { connectionManager: pool }: Sequelize,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const connection = await pool.getConnection({ type: "write" });
  try {
    // With PostgreSQL the pool's connections are clients of pg.
    return await work(connection as Sql);
  } finally {
    pool.releaseConnection(connection);
  }
}
