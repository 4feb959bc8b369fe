import { randomInt } from "node:crypto";

import getPort from "get-port";

/** The lowest port. It is below the ports that the starter of databases uses. */
const lowest = 12_000;
const perWorker = 1_000;
const workers = 8;

/** The number that Vitest gives the worker. */
const worker = Number(process.env["VITEST_POOL_ID"] ?? process.pid) % workers;
const first = lowest + worker * perWorker;
let next = randomInt(perWorker);

/**
 * Returns a free loopback port for a program that will start. The program listens only seconds
 * later. So each worker has a range of its own and uses its ports in turn: with random ports, two
 * test files sometimes got the same one.
 */
export function takeFreePort(): Promise<number> {
  const from = next;
  next = (next + 1) % perWorker;
  const inTurn = Array.from(
    { length: perWorker },
    (_, index) => first + ((from + index) % perWorker),
  );
  return getPort({ host: "127.0.0.1", port: inTurn });
}

/** Returns the lower one of two adjacent free ports. `takeFreePort` returns neither of them again soon. */
export async function takeFreePortPair(): Promise<number> {
  let port = await takeFreePort();
  for (;;) {
    const above = await takeFreePort();
    if (above === port + 1) return port;
    port = above;
  }
}
