import { randomInt } from "node:crypto";

import getPort from "get-port";

/** Below the ports that our database starter chooses. */
const lowest = 12_000;
const perWorker = 1_000;
const workers = 8;

/** Vitest numbers its workers. */
const worker = Number(process.env["VITEST_POOL_ID"] ?? process.pid) % workers;
const first = lowest + worker * perWorker;
let next = randomInt(perWorker);

/**
 * Returns a free loopback port for a program that is about to start. The program listens seconds later, so
 * each worker has its own range and takes its ports in turn. With random ports, two files sometimes got the
 * same one.
 */
export function freePort(): Promise<number> {
  const from = next;
  next = (next + 1) % perWorker;
  const inTurn = Array.from(
    { length: perWorker },
    (_, index) => first + ((from + index) % perWorker),
  );
  return getPort({ host: "127.0.0.1", port: inTurn });
}

/** Returns the lower of two adjacent free ports, both reserved for the caller. */
export async function freePair(): Promise<number> {
  let port = await freePort();
  for (;;) {
    const above = await freePort();
    if (above === port + 1) return port;
    port = above;
  }
}
