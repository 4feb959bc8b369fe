import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { createServerCloser } from "../shared/ops/close-server.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import type { Config } from "../shared/platform/config/config.ts";
import { LiveMaps } from "../shared/survival/map/live-maps.ts";
import { createApp } from "./app.ts";
import { AnswerCache } from "./cache/answer-cache.ts";
import { RunChangeStream } from "./events/run-change-stream.ts";
import { createHttpServer } from "./http/http-server.ts";
import { descriptionFile } from "./ops/docs.ts";
import { EventStreams } from "./stream/event-streams.ts";

const { config, context, registry, parts, begin } = await startProcess("web");
const streams = new EventStreams(context, registry);
await streams.start();
const liveRuns = new RunChangeStream(context, streams);
liveRuns.start();
const liveMaps = new LiveMaps(context.listener);
// The database sends each notification only once, so wait for LISTEN before answering requests.
await context.listener.settled();
const stopping = new AbortController();
const keptAnswers = new AnswerCache(context.listener);
const shared = { streams, liveMaps, keptAnswers, stopping: stopping.signal };
const app = createApp({ ...context, ...shared }, registry);
const server = await listen(createHttpServer(app, context), config);
parts.push(
  { name: "public listener", stop: createServerCloser(server) },
  { name: "live runs", stop: () => liveRuns.stop() },
  { name: "event streams", stop: () => streams.stop() },
  { name: "waiting requests", stop: () => Promise.resolve(stopping.abort()) },
);

if (!existsSync(descriptionFile)) {
  context.log.warn(
    "the API documentation is off, because api/openapi.json is missing: run npm run docs",
  );
}
begin({ port: (server.address() as AddressInfo).port }, "listening");

async function listen(httpServer: Server, { PORT, HOST }: Config): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    httpServer.once("error", reject);
    httpServer.listen(PORT, HOST, resolve);
  });
  return httpServer;
}
