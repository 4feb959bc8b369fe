import { createServer, type Server, type ServerResponse } from "node:http";

import type { Registry } from "prom-client";

import { type Probe, type HealthCheck, readHealth } from "./health.ts";

export interface InternalOptions {
  readonly process: string;
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly readiness: Record<string, HealthCheck>;
}

/** Serves `GET /internal/health?probe=live|ready` and `GET /internal/metrics` to the host itself. */
export async function startInternalServer(options: InternalOptions): Promise<Server> {
  const server = createServer((request, response) => {
    void respond(request.url ?? "/", response, options).catch((error: unknown) => {
      send(response, 500, "application/json", JSON.stringify({ message: String(error) }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return server;
}

/** The routes, which a test compares with the manifest of released interfaces. */
export const internalRoutes = ["GET /internal/health", "GET /internal/metrics"] as const;

async function respond(
  target: string,
  response: ServerResponse,
  options: InternalOptions,
): Promise<void> {
  // A request line can contain text such as `//`, which is no URL.
  const url = URL.parse(target, "http://internal");
  if (url?.pathname === "/internal/metrics") {
    const text = await options.registry.metrics();
    send(response, 200, options.registry.contentType, text);
    return;
  }
  if (url?.pathname !== "/internal/health") {
    send(response, 404, "application/json", '{"error":"Not found"}');
    return;
  }
  const probe: Probe = url.searchParams.get("probe") === "live" ? "live" : "ready";
  const health = await readHealth(options.process, probe, options.readiness);
  send(response, health.status === "ok" ? 200 : 503, "application/json", JSON.stringify(health));
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
}
