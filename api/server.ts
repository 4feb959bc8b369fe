import { createServer, type Server } from "node:http";

import type { Config } from "../shared/config/config.ts";
import { closeServer } from "../shared/ops/internal-server.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { observeQueues } from "../shared/queue/metrics.ts";
import { createApp } from "./app.ts";
import { readDescriptions } from "./ops/docs.ts";
import { EventStreams } from "./stream/hub.ts";

const { config, context, registry, parts, begin } = await startProcess("web");
observeQueues(registry, context.sequelize);
const streams = new EventStreams(context, registry);
await streams.start();
const server = await listen(createServer(createApp({ ...context, streams }, registry)), config);
parts.push(
  { name: "public listener", stop: () => closeServer(server) },
  { name: "event streams", stop: () => streams.stop() },
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
