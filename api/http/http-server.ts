import { createServer, type RequestListener, type Server } from "node:http";

import type { Context } from "../../shared/platform/context.ts";
import { refuseUnreadableRequests } from "./unreadable.ts";

/** The timeouts for a client's request. */
export interface HttpTimeouts {
  /** The maximum time between the first and the last byte of a request. */
  readonly requestMs: number;
  readonly lookEveryMs: number;
}

// Limit the time for a body: the caller's rights are checked again only after the whole body has arrived.
const usual: HttpTimeouts = { requestMs: 30_000, lookEveryMs: 5_000 };

/** Creates the server in front of the app. It refuses unreadable requests in the app's format. */
export function createHttpServer(
  app: RequestListener,
  context: Pick<Context, "config" | "log">,
  { requestMs, lookEveryMs } = usual,
): Server {
  const options = { connectionsCheckingInterval: lookEveryMs, requireHostHeader: false };
  const server = createServer(options, app);
  // The timeout is longer than that of proxies, so that a proxy never uses a connection that is closed here.
  server.keepAliveTimeout = 95_000;
  server.requestTimeout = requestMs;
  server.headersTimeout = requestMs;
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  refuseUnreadableRequests(server, context);
  return server;
}
