import { randomInt } from "node:crypto";

import getPort from "get-port";

/** Below those that a starter of ours chooses for itself. */
const lowest = 12_000;
const perWorker = 1_000;
const workers = 8;

/** Vitest numbers its workers. */
const worker = Number(process.env["VITEST_POOL_ID"] ?? process.pid) % workers;
const first = lowest + worker * perWorker;
let next = randomInt(perWorker);

/**
 * A port of loopback for a program that is about to start. It is looked at seconds before the program
 * listens on it, so each worker of the tests has ports of its own and takes one after the other: of those
 * chosen at random two files had the same one now and then.
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

/** The lower one of two free ports, one above the other: neither is another program's meanwhile. */
export async function freePair(): Promise<number> {
  let port = await freePort();
  for (;;) {
    const above = await freePort();
    if (above === port + 1) return port;
    port = above;
  }
}
