import { PgBoss } from "pg-boss";

export const bareQueue = "bare";
export const bareChain = "chain";
export const bareSingle = "single";
export const bareSchema = "bare_pgboss";

/** One of a chain of jobs, as it is sent by the one before. */
export interface BareStep {
  readonly key: string;
  /** How many follow it. */
  readonly left: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** It fails at its first attempt. */
  readonly fails?: boolean;
}

export function createBareBoss(connectionString: string): PgBoss {
  const boss = new PgBoss({ connectionString, schema: bareSchema, useListenNotify: true });
  boss.on("error", (error) => {
    throw error;
  });
  return boss;
}
