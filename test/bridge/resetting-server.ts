import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { timeoutMs } from "../support/clock/wait.ts";

/**
 * The program of the server's thread. It answers each request with an empty object and keeps the
 * connection open.
 */
const program = `
  const { createServer } = require("node:http");
  const { parentPort } = require("node:worker_threads");
  const { setTimeout: sleep } = require("node:timers/promises");
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  const sockets = new Set();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  parentPort.on("message", async (gate) => {
    for (const socket of sockets) socket.end();
    await sleep(50);
    for (const socket of sockets) socket.resetAndDestroy();
    await sleep(50);
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  });`;

export interface ResettingServer {
  readonly baseUrl: string;
  /** Ends all connections with a reset. Resolves before this thread can notice their end. */
  reset(): void;
  stop(): Promise<unknown>;
}

/**
 * Starts an HTTP server in a thread of its own, so that it answers while the test's thread is
 * blocked.
 */
export async function startResettingServer(): Promise<ResettingServer> {
  const worker = new Worker(program, { eval: true });
  const [port] = (await once(worker, "message")) as [number];
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    reset: () => {
      const gate = new Int32Array(new SharedArrayBuffer(4));
      worker.postMessage(gate, []);
      Atomics.wait(gate, 0, 0, timeoutMs);
    },
    stop: () => worker.terminate(),
  };
}
