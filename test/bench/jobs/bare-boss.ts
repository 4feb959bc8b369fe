import { PgBoss } from "pg-boss";

export const bareQueue = "bare";
export const bareChain = "chain";
export const bareSingle = "single";
export const bareSchema = "bare_pgboss";

/** One job of a chain, sent by its predecessor. */
export interface FloorChainJob {
  readonly key: string;
  /** The number of jobs that follow this one in the chain. */
  readonly left: number;
  /** The time at which the job is due, in epoch milliseconds. */
  readonly dueAt: number;
  /** True if the first attempt of the job fails. */
  readonly fails?: boolean;
}

export function createFloorPgBoss(connectionString: string): PgBoss {
  const boss = new PgBoss({ connectionString, schema: bareSchema, useListenNotify: true });
  boss.on("error", (error) => {
    throw error;
  });
  return boss;
}
