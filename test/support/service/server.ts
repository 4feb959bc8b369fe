import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

import { pino } from "pino";
import { Registry } from "prom-client";
import { Sequelize } from "sequelize";

import { createApp } from "../../../api/app.ts";
import { AnswerCache } from "../../../api/cache/answer-cache.ts";
import type { ApiContext } from "../../../api/context.ts";
import { RunChangeStream } from "../../../api/events/run-change-stream.ts";
import { createHttpServer, type HttpTimeouts } from "../../../api/http/http-server.ts";
import type { Route } from "../../../api/http/route.ts";
import { EventStreams } from "../../../api/stream/event-streams.ts";
import type { StreamTiming } from "../../../api/stream/timing.ts";
import { startContext } from "../../../shared/ops/start-context.ts";
import type { ControlOptions } from "../../../shared/platform/bridge/calls/control.ts";
import { type Config, loadConfig } from "../../../shared/platform/config/config.ts";
import { throttleVariables } from "../../../shared/platform/config/throttle-variables.ts";
import { connectionOptions } from "../../../shared/platform/db/connection/client.ts";
import { stripErrorFields } from "../../../shared/platform/errors/errors.ts";
import type { Logger } from "../../../shared/platform/log.ts";
import type { ListenOptions } from "../../../shared/platform/notify/listener.ts";
import { ShardControlClient } from "../../../shared/shard/sidecar/shard-control.ts";
import { LiveMaps } from "../../../shared/survival/map/live-maps.ts";
import { createTestDatabase, type TestDatabase } from "../database/database.ts";
import { registerCauseFinder, RecentLogLines } from "../http/failures.ts";
import { endPlugins } from "../plugin/plugin-link.ts";
import { clearAtFileEnd } from "../runner/end-of-file.ts";
import { forgetAddress, noteAddress } from "./addresses.ts";
import { inherited } from "./inherited.ts";

export interface TestServer {
  readonly url: string;
  readonly config: Config;
  readonly context: ApiContext;
  readonly database: TestDatabase;
  readonly registry: Registry;
  /** Returns the number of requests that have passed all earlier checks and wait for their body. */
  countReading(): number;
  /** Ends all connections, like a crash. */
  cutConnections(): void;
  /** Stops the server. Drops the database if the server has created it. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Additional environment variables. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The database of another server. Both servers then act like two API processes of a site. */
  readonly database?: TestDatabase;
  /** All routes of the server, if they differ from those of the service. */
  readonly routes?: readonly Route[];
  /** Intervals of the event streams, to make them shorter. */
  readonly streams?: Partial<StreamTiming>;
  /** Intervals of the LISTEN connection, to make them shorter. */
  readonly listen?: Partial<ListenOptions>;
  /** Timeouts of slow clients, to make them shorter for tests that delay a request. */
  readonly http?: HttpTimeouts;
  /** Timeouts of calls to the shard, to make them shorter than in production. */
  readonly shard?: ControlOptions;
  /** A log whose lines the test reads. */
  readonly log?: Logger;
}

const patient: HttpTimeouts = { requestMs: 300_000, lookEveryMs: 5_000 };

// Timeouts above those of production: on a busy machine, 30 concurrent requests wait long for the database and
// for a connection. A test of a silent database sets a timeout of its own.
const databasePatience = { DATABASE_TIMEOUT: "2m" };
Sequelize.beforeInit("patience", (_config, { pool }) => {
  if (pool?.acquire === connectionOptions.connectionTimeoutMillis) pool.acquire = 120_000;
});

const key = `test:${Buffer.alloc(32, 7).toString("base64")}`;

/** Limits that only tests of limits reach. All requests of tests come from one address. */
const unthrottled = Object.fromEntries(
  Object.keys(throttleVariables)
    .filter((name) => /^RL_.*_(MAX|AFTER)$/.test(name))
    .map((name) => [name, "1000000"]),
);

/** Returns the environment variables of tests. Sizes are small, and no external address is set. */
export const testEnvironment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  NODE_ENV: "test",
  DATABASE_URL: databaseUrl,
  DATABASE_POOL: "5",
  LOG_LEVEL: process.env["TEST_LOG_LEVEL"] ?? "silent",
  JWT_KEYS: key,
  SECRETS_KEYS: key,
  VAPID_KEY: Buffer.alloc(32, 7).toString("base64url"),
  BCRYPT_COST: "4",
  PUBLIC_BASE_URL: "http://localhost:3000",
  ...inherited,
  ...unthrottled,
});

/** Starts the service's HTTP server with its database, on a free port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase());
  const environment = { ...testEnvironment(database.url), ...databasePatience };
  const config = loadConfig({ ...environment, ...options.environment });
  const { context: begun, parts } = await startContext(config, "web", { hearing: options.listen });
  const shard = new ShardControlClient(begun, options.shard);
  await shard.reload();
  const started = { ...begun, shard };
  const registry = new Registry();
  const streams = new EventStreams(started, registry, options.streams);
  await streams.start();
  const liveRuns = new RunChangeStream(started, streams);
  liveRuns.start();
  const stopping = new AbortController();
  const liveMaps = new LiveMaps(started.listener);
  await started.listener.settled();
  const keptAnswers = new AnswerCache(started.listener);
  const context = { ...started, streams, liveMaps, keptAnswers, stopping: stopping.signal };
  const kept = new RecentLogLines();
  const log = options.log ?? failureLog(begun.log, kept);
  const app = createApp({ ...context, log }, registry, options.routes);
  const server = createHttpServer(app, context, options.http ?? patient);
  const countReading = observeReading(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  noteAddress(config.DATABASE_URL, `http://127.0.0.1:${port}`);
  const stop = async () => {
    if (!options.database) {
      await endPlugins(config.DATABASE_URL);
      forgetAddress(config.DATABASE_URL);
    }
    stopping.abort();
    await liveRuns.stop();
    await streams.stop();
    await close(server);
    await shard.close();
    for (const part of parts.toReversed()) await part.stop();
    if (!options.database) await database.drop();
    clearAtFileEnd(running);
  };
  const url = `http://127.0.0.1:${port}`;
  // Bind the method instead of writing a closure here: a closure would keep the whole server in
  // memory as long as it is registered.
  registerCauseFinder(url, kept.about.bind(kept));
  const cutConnections = () => server.closeAllConnections();
  const running = { url, config, context, database, registry, countReading, cutConnections, stop };
  return running;
}

function observeReading(server: Server): () => number {
  const open = new Set<IncomingMessage>();
  server.on("request", (request, response) => {
    open.add(request);
    response.once("close", () => open.delete(request));
  });
  return () => [...open].filter((request) => request.listenerCount("data") > 0).length;
}

/**
 * Returns a log that keeps the lines about failed requests, so that the test that sent a request can find them.
 * Not used if the test has a log of its own.
 */
const failureLog = (log: Logger, kept: RecentLogLines): Logger =>
  log.level === "silent"
    ? pino({ level: "error", base: null, timestamp: false, serializers: { err: errorOf } }, kept)
    : log;

const errorOf = (error: unknown) => pino.stdSerializers.err(stripErrorFields(error) as Error);

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
