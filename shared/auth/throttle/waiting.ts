import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "../../platform/config/config.ts";
import { NetworkCounts, networksOf } from "../../platform/net/networks.ts";

/** Requests that wait. Kept in memory because each process limits its own sockets. */
const waitingCounts = new NetworkCounts();

/** Waits for `ms`. @returns false at once if too many requests wait already */
export const sleepWithinWaitingLimit = async (
  ms: number,
  address: string | undefined,
  config: Config,
): Promise<boolean> =>
  ms === 0 || (await runWithinWaitingLimit(() => sleep(ms, true), address, config)) === true;

/** Counts a request as waiting during `work`. A network gets half of the places. @returns null if full */
export async function runWithinWaitingLimit<T>(
  work: () => Promise<T>,
  address: string | undefined,
  { RL_LOGIN_WAITING }: Config,
): Promise<T | null> {
  const networks = networksOf(address);
  const widest = networks.at(-1) ?? networks[0];
  if (waitingCounts.total >= RL_LOGIN_WAITING) return null;
  if (waitingCounts.countOf(widest) >= Math.ceil(RL_LOGIN_WAITING / 2)) return null;
  waitingCounts.add(networks);
  try {
    return await work();
  } finally {
    waitingCounts.remove(networks);
  }
}
