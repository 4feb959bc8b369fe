import { PgBoss } from "pg-boss";

export const bareQueue = "bare";
export const bareSchema = "bare_pgboss";

export function createBareBoss(connectionString: string): PgBoss {
  const boss = new PgBoss({ connectionString, schema: bareSchema, useListenNotify: true });
  boss.on("error", (error) => {
    throw error;
  });
  return boss;
}
