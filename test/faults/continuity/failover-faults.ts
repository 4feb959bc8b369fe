import { setTimeout as sleep } from "node:timers/promises";

import { DatabasePair } from "../../support/pair/database-pair.ts";
import type { FaultOptions } from "../fault-run.ts";
import type { FaultInjection } from "../rounds.ts";
import { type ContinuityTestContext, runContinuity } from "./continuity.ts";
import { waitUntilServiceWorks } from "./goes-on.ts";

type Strikes = Readonly<Record<string, FaultInjection<ContinuityTestContext>>>;

/** CATALOGUE of faults of a primary and a standby. Some of them make the standby the primary. */
const strikesOn = (pair: DatabasePair): Strikes => ({
  "primary crashed, standby serves": () => pair.failOver(),
  "crashed back": () => pair.failOver(),
  "primary crashed and came back": () => pair.crash(),
  "primary cut off, standby serves": () => pair.cutOff(),
  "switched over": () => pair.switchOver(),
});

/** CATALOGUE of faults that take too long for a short run. */
const slowStrikesOn = (pair: DatabasePair): Strikes => ({
  "standby away for a moment": ({ random }) =>
    pair.withoutStandby(() => sleep(random.int(500, 5_000))),
  "standby away beyond a statement's time": (scene) => pair.withoutStandby(() => outlast(scene)),
});

/** Requests that are in flight when the standby stops may still be answered within this time. */
const onItsWayMs = 1_000;

/**
 * Waits until the standby has been away for longer than the timeout of a statement. Then requires the API to
 * answer writes again.
 */
async function outlast({ scribes, random, history }: ContinuityTestContext): Promise<void> {
  const begunAt = performance.now();
  await sleep(random.int(22_000, 27_000));
  const answered = scribes.filter(({ answeredAt }) => answeredAt > begunAt + onItsWayMs);
  history.claim("writes are answered while nobody stands by", answered.length > 0, {});
}

/**
 * Runs the service with a primary and a standby and injects each fault of the two servers.
 * @returns true if no claim was violated
 */
export async function runFailoverFaults(options: FaultOptions): Promise<boolean> {
  const database = await DatabasePair.start();
  const struck = { ...strikesOn(database), ...(!options.short && slowStrikesOn(database)) };
  const strikes = Object.fromEntries(
    Object.entries(struck).map(
      ([name, strike]): [string, FaultInjection<ContinuityTestContext>] => [
        name,
        async (scene) => {
          // Wait, so that the fault hits normal operation and not the recovery from the previous
          // fault.
          await sleep(scene.random.int(200, 2_000));
          await strike(scene);
          await waitUntilServiceWorks(name, scene);
        },
      ],
    ),
  );
  return runContinuity({ ...options, name: "failover", database, strikes });
}
