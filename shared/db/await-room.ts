import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "../log.ts";

/** What a server says that has no connection left, and what poolers say, which have no code for it. */
const codeOfFull = "53300";
const wordsOfFull = /no more connections allowed|max client connections reached/i;

const askEveryMs = 500;

/** Whether an error says that server or pooler give no further connection now. */
function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Sequelize wraps what the driver says.
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code === codeOfFull || wordsOfFull.test(error.message) || isFull(original);
}

/** Does a step of a process's start, again and again while there is no connection left for it. */
export type AwaitRoom = <T>(step: () => Promise<T>) => Promise<T>;

/**
 * A start that ended for want of a connection would only be repeated by the host, which opens more.
 * @param need how many connections the process opens at most
 */
export function awaitingRoom(log: Logger, need: number): AwaitRoom {
  let hasSaid = false;
  return async (step) => {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!isFull(error)) throw error;
        if (!hasSaid) {
          log.warn({ err: error }, `waiting for connections: this process opens up to ${need}`);
        }
        hasSaid = true;
      }
      await sleep(askEveryMs);
    }
  };
}
