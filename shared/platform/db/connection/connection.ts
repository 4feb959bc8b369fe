import { AsyncLocalStorage } from "node:async_hooks";

import pg from "pg";
import { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import { createClientClass, connectionOptions } from "./client.ts";
import {
  directUrlOf,
  type ConnectionTimeouts,
  defaultTimeouts,
  hasPooler,
} from "./session-settings.ts";

/**
 * Creates the connection pool of a process. Every session runs in UTC. Behind a transaction pooler, the client
 * and the role set the time zone, because Sequelize's own SET statement would affect other clients.
 * @param statementMs timeout of a statement, if longer than the configured one. Such a pool connects directly to
 * the server, because a pooler's connections have the configured timeout.
 */
export function createConnectionPool(config: Config, process: string, statementMs = 0): Sequelize {
  const isLong = statementMs > config.DATABASE_TIMEOUT;
  const patience: ConnectionTimeouts = isLong
    ? { statementMs, idleMs: config.DATABASE_TIMEOUT }
    : defaultTimeouts(config);
  const connectMs = Math.min(connectionOptions.connectionTimeoutMillis, config.DATABASE_TIMEOUT);
  const sequelize: Sequelize = new Sequelize(isLong ? directUrlOf(config) : config.DATABASE_URL, {
    dialect: "postgres",
    dialectModule: { ...pg, Client: createClientClass(patience) },
    logging: false,
    timezone: "+00:00",
    ...(patience.isPooled && { keepDefaultTimezone: true }),
    define: { underscored: true, timestamps: false },
    pool: {
      max: config.DATABASE_POOL,
      min: 0,
      idle: 30_000,
      acquire: connectMs,
      validate: (connection) => isCurrentConnection(connection as object, sequelize),
    },
    dialectOptions: {
      ...connectionOptions,
      connectionTimeoutMillis: connectMs,
      application_name: `guildhall ${process}`,
      ...(patience.isPooled && { clientMinMessages: "ignore" }),
    },
  });
  trackGenerations(sequelize);
  return sequelize;
}

/** Connections that a process opens in addition to its pool. */
export const extraConnections = {
  /** The queue's connection pool for enqueuing, in every process. */
  queue: 2,
  listener: 1,
  /** A worker's connection pool for running jobs. `jobListener` receives notifications of new jobs. */
  supervisor: 6,
  jobListener: 1,
  /** The connection with which ingest owns one source or is a standby for it. */
  source: 1,
} as const;

type Kind = "web" | "ingest" | "worker";

/** @param sources number of ingest sources: the shard, and each enabled survival server */
export function countNeededConnections(
  kind: Kind,
  { DATABASE_POOL }: Pick<Config, "DATABASE_POOL">,
  sources = 1,
): number {
  const usual = DATABASE_POOL + extraConnections.queue + extraConnections.listener;
  if (kind === "worker") return usual + extraConnections.supervisor + extraConnections.jobListener;
  if (kind === "ingest") return usual + extraConnections.source * sources;
  return usual;
}

/** Returns the number of a process's connections that lead to the server itself, not to a pooler. */
export function countNeededServerConnections(kind: Kind, config: Config, sources = 1): number {
  const need = countNeededConnections(kind, config, sources);
  if (!hasPooler(config)) return need;
  // A worker connects directly, because its statements take too long for a pooler.
  return need - extraConnections.queue - (kind === "worker" ? 0 : config.DATABASE_POOL);
}

interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

declare module "sequelize/types/dialects/abstract/connection-manager" {
  interface ConnectionManager {
    /** Documented by sequelize-pool, but missing in Sequelize's types. */
    readonly pool: Readonly<Record<"maxSize" | "using" | "available" | "waiting", number>>;
    validate(connection: object): boolean;
  }
}

export function readPoolUse({ connectionManager }: Sequelize): PoolUse {
  const { maxSize, using, available, waiting } = connectionManager.pool;
  return { max: maxSize, inUse: using, idle: available, waiting };
}

/** The generation of each connection. `renewPool` begins a new one; older connections are closed. */
const generations = new WeakMap<
  Sequelize,
  { now: number; readonly made: WeakMap<object, number> }
>();

function trackGenerations(sequelize: Sequelize): void {
  const generation = { now: 0, made: new WeakMap<object, number>() };
  generations.set(sequelize, generation);
  sequelize.addHook("afterConnect", "generations", (connection) => {
    generation.made.set(connection as object, generation.now);
  });
}

function isCurrentConnection(connection: object, sequelize: Sequelize): boolean {
  const generation = generations.get(sequelize);
  if (!sequelize.connectionManager.validate(connection)) return false;
  return generation?.made.get(connection) === generation?.now;
}

/** Retires all current connections of the pool: later requests get new ones. */
export function renewPool(sequelize: Sequelize): void {
  const generation = generations.get(sequelize);
  if (generation) generation.now += 1;
}

const readShare = new AsyncLocalStorage<true>();

/** Runs work for anonymous callers. Its statements may use only part of the pool's connections. */
export const runAsAnonymousRead = <T>(work: () => T): T => readShare.run(true, work);

export const isAnonymousRead = (): boolean => readShare.getStore() === true;
