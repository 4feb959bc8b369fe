import { setTimeout as sleep } from "node:timers/promises";

import { DatabasePair } from "../../support/pair/database-pair.ts";
import type { FaultOptions } from "../fault-run.ts";
import type { Strike } from "../rounds.ts";
import { type ContinuityScene, runContinuity } from "./continuity.ts";
import { goOn } from "./goes-on.ts";

type Strikes = Readonly<Record<string, Strike<ContinuityScene>>>;

/** CATALOGUE of faults of two database servers; a round may or may not restore the original primary. */
const strikesOn = (pair: DatabasePair): Strikes => ({
  "primary crashed, standby serves": () => pair.failOver(),
  "crashed back": () => pair.failOver(),
  "primary crashed and came back": () => pair.crash(),
  "primary cut off, standby serves": () => pair.cutOff(),
  "switched over": () => pair.switchOver(),
});

/** CATALOGUE of faults that take longer than a short run. */
const slowStrikesOn = (pair: DatabasePair): Strikes => ({
  "standby away for a moment": ({ random }) =>
    pair.withoutStandby(() => sleep(random.int(500, 5_000))),
  "standby away beyond a statement's time": (scene) => pair.withoutStandby(() => outlast(scene)),
});

/** Requests in flight when the standby stops may be answered within this time. */
const onItsWayMs = 1_000;

/** Waits until the requests that wait for the standby have timed out, and longer. */
async function outlast({ scribes, random, history }: ContinuityScene): Promise<void> {
  const begunAt = performance.now();
  await sleep(random.int(22_000, 27_000));
  const answered = scribes.filter(({ answeredAt }) => answeredAt > begunAt + onItsWayMs);
  history.claim("writes are answered while nobody stands by", answered.length > 0, {});
}

/** Swaps a primary and its standby in every possible way. @returns true if no claim was violated */
export async function runFailoverFaults(options: FaultOptions): Promise<boolean> {
  const database = await DatabasePair.start();
  const struck = { ...strikesOn(database), ...(!options.short && slowStrikesOn(database)) };
  const strikes = Object.fromEntries(
    Object.entries(struck).map(([name, strike]): [string, Strike<ContinuityScene>] => [
      name,
      async (scene) => {
        // Strikes during normal operation, not right after the previous fault.
        await sleep(scene.random.int(200, 2_000));
        await strike(scene);
        await goOn(name, scene);
      },
    ]),
  );
  return runContinuity({ ...options, name: "failover", database, strikes });
}
