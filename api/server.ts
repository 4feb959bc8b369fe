import { createServer, type Server } from "node:http";

import type { Config } from "../shared/config/config.ts";
import { closerOf } from "../shared/ops/close-server.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { observeQueues } from "../shared/queue/metrics.ts";
import { createApp } from "./app.ts";
import { readDescriptions } from "./ops/docs.ts";
import { EventStreams } from "./stream/event-streams.ts";

const { config, context, registry, parts, begin } = await startProcess("web");
observeQueues(registry, context.sequelize);
const streams = new EventStreams(context, registry);
await streams.start();
const stopping = new AbortController();
const app = createApp({ ...context, streams, stopping: stopping.signal }, registry);
const server = await listen(createServer(app), config);
parts.push(
  { name: "public listener", stop: closerOf(server) },
  { name: "event streams", stop: () => streams.stop() },
  { name: "waiting requests", stop: () => Promise.resolve(stopping.abort()) },
);

if (!readDescriptions()) {
  context.log.warn("docs are off: api/openapi.json is missing (npm run docs writes it)");
}
begin({ port: config.PORT, internalPort: config.INTERNAL_PORT }, "listening");

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
