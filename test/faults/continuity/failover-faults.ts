import { setTimeout as sleep } from "node:timers/promises";

import { DatabasePair } from "../../support/pair/database-pair.ts";
import type { FaultOptions } from "../fault-run.ts";
import type { Strike } from "../rounds.ts";
import { type ContinuityScene, runContinuity } from "./continuity.ts";
import { goOn } from "./goes-on.ts";

type Strikes = Readonly<Record<string, Strike<ContinuityScene>>>;

/** CATALOGUE of what befalls two database servers; each round brings the primary back to where it was or not. */
const strikesOn = (pair: DatabasePair): Strikes => ({
  "primary crashed, standby serves": () => pair.failOver(),
  "crashed back": () => pair.failOver(),
  "primary crashed and came back": () => pair.crash(),
  "primary cut off, standby serves": () => pair.cutOff(),
  "switched over": () => pair.switchOver(),
});

/** CATALOGUE of what takes longer than a short run has. */
const slowStrikesOn = (pair: DatabasePair): Strikes => ({
  "standby away for a moment": ({ random }) =>
    pair.withoutStandby(() => sleep(random.int(500, 5_000))),
  "standby away beyond a statement's time": (scene) => pair.withoutStandby(() => outlast(scene)),
});

/** What was on its way when the standby went is answered until then. */
const onItsWayMs = 1_000;

/** Waits until what began to wait for the standby has been given up, and longer. */
async function outlast({ scribes, random, history }: ContinuityScene): Promise<void> {
  const begunAt = performance.now();
  await sleep(random.int(22_000, 27_000));
  const answered = scribes.filter(({ answeredAt }) => answeredAt > begunAt + onItsWayMs);
  history.claim("writes are answered while nobody stands by", answered.length > 0, {});
}

/** Has two database servers, of which one stands by, change places in every way. @returns whether all held */
export async function runFailoverFaults(options: FaultOptions): Promise<boolean> {
  const database = await DatabasePair.start();
  const struck = { ...strikesOn(database), ...(!options.short && slowStrikesOn(database)) };
  const strikes = Object.fromEntries(
    Object.entries(struck).map(([name, strike]): [string, Strike<ContinuityScene>] => [
      name,
      async (scene) => {
        // Amid what goes on, not at the end of what went before.
        await sleep(scene.random.int(200, 2_000));
        await strike(scene);
        await goOn(name, scene);
      },
    ]),
  );
  return runContinuity({ ...options, name: "failover", database, strikes });
}
