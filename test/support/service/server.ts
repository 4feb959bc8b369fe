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
import { stripError } from "../../../shared/platform/errors/errors.ts";
import type { Logger } from "../../../shared/platform/log.ts";
import type { ListenOptions } from "../../../shared/platform/notify/listener.ts";
import { ShardControl } from "../../../shared/shard/sidecar/shard-control.ts";
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
  /** The number of requests that passed all checks before the body and wait for the body. */
  countReading(): number;
  /** Closes every connection, as a crash does. */
  cutConnections(): void;
  /** Stops the server, and drops the database if the server created it. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  /** Extra environment variables. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Uses another server's database, as two API processes of one service do. */
  readonly database?: TestDatabase;
  /** Extra routes. */
  readonly routes?: readonly Route[];
  /** Shorter intervals for the event streams. */
  readonly streams?: Partial<StreamTiming>;
  /** Shorter intervals for the LISTEN connection. */
  readonly listen?: Partial<ListenOptions>;
  /** Shorter timeouts for slow clients, for tests that delay a request. */
  readonly http?: HttpTimeouts;
  /** Shorter timeouts for the shard than in production. */
  readonly shard?: ControlOptions;
  /** A log that the test reads. */
  readonly log?: Logger;
}

const patient: HttpTimeouts = { requestMs: 300_000, lookEveryMs: 5_000 };

// On a busy machine, 30 concurrent requests wait longer for the database and for a connection than
// production allows. A test of a silent database sets its own timeout.
const databasePatience = { DATABASE_TIMEOUT: "2m" };
Sequelize.beforeInit("patience", (_config, { pool }) => {
  if (pool?.acquire === connectionOptions.connectionTimeoutMillis) pool.acquire = 120_000;
});

const key = `test:${Buffer.alloc(32, 7).toString("base64")}`;

/** Limits that only tests of limits reach, because all requests come from one address. */
const unthrottled = Object.fromEntries(
  Object.keys(throttleVariables)
    .filter((name) => /^RL_.*_(MAX|AFTER)$/.test(name))
    .map((name) => [name, "1000000"]),
);

/** The environment of tests: small limits and no external addresses. */
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

/** Starts the real app on a real database, on a free port. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase());
  const environment = { ...testEnvironment(database.url), ...databasePatience };
  const config = loadConfig({ ...environment, ...options.environment });
  const { context: begun, parts } = await startContext(config, "web", { hearing: options.listen });
  const shard = new ShardControl(begun, options.shard);
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
  // Bound on purpose: a closure of this scope would keep the server alive as long as the causes.
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

/** Logs failed requests for the test that sent them, unless the test has its own log. */
const failureLog = (log: Logger, kept: RecentLogLines): Logger =>
  log.level === "silent"
    ? pino({ level: "error", base: null, timestamp: false, serializers: { err: errorOf } }, kept)
    : log;

const errorOf = (error: unknown) => pino.stdSerializers.err(stripError(error) as Error);

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
