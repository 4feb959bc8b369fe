import { AsyncLocalStorage } from "node:async_hooks";

import pg from "pg";
import { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import { clientWith, connectWithin } from "./client.ts";
import { directUrlOf, type Patience, usualPatience, isPooled } from "./session-settings.ts";

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

/** What a process may open beside its pool: each pool and each connection of its own is made this large. */
export const beside = {
  /** What every process enqueues by. */
  queue: 2,
  listener: 1,
  /** What a worker works the queues by, and hears of jobs by. */
  supervisor: 6,
  jobListener: 1,
  /** What ingest owns a source by, or stands by for it. */
  source: 1,
} as const;

type Kind = "web" | "ingest" | "worker";

/**
 * How many connections to the database a process opens at most.
 * @param sources that ingest takes in: the shard, and each enabled survival server
 */
export function connectionNeed(
  kind: Kind,
  { DATABASE_POOL }: Pick<Config, "DATABASE_POOL">,
  sources = 1,
): number {
  const usual = DATABASE_POOL + beside.queue + beside.listener;
  if (kind === "worker") return usual + beside.supervisor + beside.jobListener;
  if (kind === "ingest") return usual + beside.source * sources;
  return usual;
}

/** How many of them the server itself has to give: what goes through a pooler shares the pooler's own. */
export function serverNeed(kind: Kind, config: Config, sources = 1): number {
  const need = connectionNeed(kind, config, sources);
  if (!isPooled(config)) return need;
  // A worker's statements take too long for a pooler.
  return need - beside.queue - (kind === "worker" ? 0 : config.DATABASE_POOL);
}

/** How the connections of a process's pool are used at this moment. */
interface PoolUse {
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
function followGenerations(sequelize: Sequelize): void {
  const generation = { now: 0, made: new WeakMap<object, number>() };
  generations.set(sequelize, generation);
  sequelize.addHook("afterConnect", "generations", (connection) => {
    generation.made.set(connection as object, generation.now);
  });
}

/** Whether a connection that nobody uses may be given out. */
function isFit(connection: object, sequelize: Sequelize): boolean {
  const generation = generations.get(sequelize);
  if (!sequelize.connectionManager.validate(connection)) return false;
  return generation?.made.get(connection) === generation?.now;
}

/** Has who asks for a connection from now on get none that was made before. */
export function renewPool(sequelize: Sequelize): void {
  const generation = generations.get(sequelize);
  if (generation) generation.now += 1;
}

const reading = new AsyncLocalStorage<true>();

/** Runs work that answers strangers: its statements get a part of the pool's connections alone. */
export const withinReadShare = <T>(work: () => T): T => reading.run(true, work);

/** Whether the statements of what runs here get a part of the pool's connections alone. */
export const isWithinReadShare = (): boolean => reading.getStore() === true;
