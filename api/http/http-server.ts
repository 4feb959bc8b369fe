import { createServer, type Server } from "node:http";

import type { Express } from "express";

import type { Context } from "../../shared/platform/context.ts";
import { refuseUnreadable } from "./unreadable.ts";

/** How long a server waits for what a client sends. */
export interface HttpPatience {
  /** From a request's first byte to its last. */
  readonly requestMs: number;
  readonly lookEveryMs: number;
}

// A request has to have come whole by then: what its caller may do is asked again after its body.
const usual: HttpPatience = { requestMs: 30_000, lookEveryMs: 5_000 };

/** The server in front of the app, which refuses in the app's form what does not reach it. */
export function createHttpServer(
  app: Express,
  context: Pick<Context, "config" | "log">,
  { requestMs, lookEveryMs } = usual,
): Server {
  const options = { connectionsCheckingInterval: lookEveryMs, requireHostHeader: false };
  const server = createServer(options, app);
  // Longer than any router in front keeps an idle connection, so that it never meets a closed one.
  server.keepAliveTimeout = 95_000;
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs;
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  refuseUnreadable(server, context);
  return server;
}
