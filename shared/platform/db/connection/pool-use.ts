import type { Sequelize } from "sequelize";

/** How the connections of a process's pool are used at this moment. */
export interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

declare module "sequelize/types/dialects/abstract/connection-manager" {
  interface ConnectionManager {
    /** As sequelize-pool documents a pool; Sequelize's own types leave the pool out. */
    readonly pool: Readonly<Record<"maxSize" | "using" | "available" | "waiting", number>>;
    /** What Sequelize asks of a connection before it gives it out. */
    validate(connection: object): boolean;
  }
}

export function readPoolUse({ connectionManager }: Sequelize): PoolUse {
  const { maxSize, using, available, waiting } = connectionManager.pool;
  return { max: maxSize, inUse: using, idle: available, waiting };
}

/** When the connections of each pool were made: before it was last made anew, or since. */
const generations = new WeakMap<
  Sequelize,
  { now: number; readonly made: WeakMap<object, number> }
>();

/** Has each connection of a pool know when it was made. */
export function followGenerations(sequelize: Sequelize): void {
  const generation = { now: 0, made: new WeakMap<object, number>() };
  generations.set(sequelize, generation);
  sequelize.addHook("afterConnect", "generations", (connection) => {
    generation.made.set(connection as object, generation.now);
  });
}

/** Whether a connection that nobody uses may be given out. */
export function isFit(connection: object, sequelize: Sequelize): boolean {
  const generation = generations.get(sequelize);
  if (!sequelize.connectionManager.validate(connection)) return false;
  return generation?.made.get(connection) === generation?.now;
}

/** Has who asks for a connection from now on get none that was made before. */
export function renewPool(sequelize: Sequelize): void {
  const generation = generations.get(sequelize);
  if (generation) generation.now += 1;
}
