import { createServer, type Server } from "node:http";

import { collectDefaultMetrics, Registry } from "prom-client";

import { type Config, loadConfig } from "../shared/config/config.ts";
import { readinessOf } from "../shared/ops/health.ts";
import { closeServer, startInternalServer } from "../shared/ops/internal-server.ts";
import { keepProcessRow } from "../shared/ops/processes.ts";
import { stopOnSignals, type Stoppable } from "../shared/process.ts";
import { startContext } from "../shared/start-context.ts";
import { createApp } from "./app.ts";
import { readDescriptions } from "./ops/docs.ts";
import { EventStreams } from "./stream/hub.ts";

const config = loadConfig();
const registry = new Registry();
collectDefaultMetrics({ register: registry });

const { context, parts } = await startContext(config, "web");
const streams = new EventStreams(context, registry);
await streams.start();

let draining = false;
const internal = await startInternalServer({
  process: "web",
  host: config.INTERNAL_HOST,
  port: config.INTERNAL_PORT,
  registry,
  readiness: readinessOf(context, () => draining),
});
const server = await listen(createServer(createApp({ ...context, streams }, registry)), config);
parts.push(
  { name: "internal listener", stop: () => closeServer(internal) },
  await keepProcessRow(context, "web"),
  { name: "public listener", stop: () => closeServer(server) },
  { name: "event streams", stop: () => streams.stop() },
  { name: "readiness", stop: () => Promise.resolve((draining = true)) },
);
stopOnSignals(context.log, (): readonly Stoppable[] => parts);

if (!readDescriptions()) {
  context.log.warn("docs are off: api/openapi.json is missing (npm run docs writes it)");
}
context.log.info({ port: config.PORT, internalPort: config.INTERNAL_PORT }, "listening");

async function listen(httpServer: Server, { PORT, HOST }: Config): Promise<Server> {
  // Longer than any router in front keeps an idle connection, so that it never meets a closed one.
  httpServer.keepAliveTimeout = 95_000;
  httpServer.headersTimeout = 100_000;
  await new Promise<void>((resolve, reject) => {
    httpServer.once("error", reject);
    httpServer.listen(PORT, HOST, resolve);
  });
  return httpServer;
}
