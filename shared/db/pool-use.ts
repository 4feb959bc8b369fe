import type { Sequelize } from "sequelize";

/** How the connections of a process's pool are used at this moment. */
export interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** What sequelize-pool documents of a pool; Sequelize's own types leave the pool out. */
interface Pooled {
  readonly pool: Readonly<Record<"maxSize" | "using" | "available" | "waiting", number>> & {
    destroyAllNow(): Promise<void>;
  };
}

export function readPoolUse({ connectionManager }: Sequelize): PoolUse {
  const { maxSize, using, available, waiting } = (connectionManager as unknown as Pooled).pool;
  return { max: maxSize, inUse: using, idle: available, waiting };
}

/** Ends the connections that nobody uses; those that are asked for next are made anew. */
export function dropIdle({ connectionManager }: Sequelize): void {
  // One that cannot be ended in words is cut.
  (connectionManager as unknown as Pooled).pool.destroyAllNow().catch(() => undefined);
}
