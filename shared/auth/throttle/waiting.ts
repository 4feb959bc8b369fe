import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../../config/config.ts";

/** Requests of this process that wait. In memory on purpose: it counts its own sockets. */
let waiting = 0;

/** @returns false, at once, when too many wait already */
export const wait = async (ms: number, config: Config): Promise<boolean> =>
  ms === 0 || (await whileWaiting(() => sleep(ms, true), config)) === true;

/** Counts a request as waiting while `work` runs. @returns null when too many wait already */
export async function whileWaiting<T>(
  work: () => Promise<T>,
  { RL_LOGIN_WAITING }: Config,
): Promise<T | null> {
  if (waiting >= RL_LOGIN_WAITING) return null;
  waiting += 1;
  try {
    return await work();
  } finally {
    waiting -= 1;
  }
}
