import { setTimeout as sleep } from "node:timers/promises";

import { createRandom } from "../../simulator/random.ts";
import { DatabaseServer } from "../../support/database/database-server.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import type { FaultOptions } from "../fault-run.ts";
import { findOwner, type IngestSourceGroup, waitUntilSourceTakenOver } from "../owner.ts";
import type { FaultInjection } from "../rounds.ts";
import { type ContinuityTestContext, runContinuity } from "./continuity.ts";
import { waitUntilServiceWorks } from "./goes-on.ts";
import { pauseProcess, pauseInTransaction, waitUntilTransactionsEnd } from "./inside.ts";

/**
 * The database timeout of a process. The database server ends a transaction that is idle for nine tenths of this
 * time.
 */
const databaseTimeoutMs = 10_000;
/**
 * The duration of a pause: longer than all timeouts. The longest timeout is 10 to 14 s: a worker without
 * heartbeats then counts as dead.
 */
const pauseMs = 15_000;

const kinds = ["ingest", "worker", "web"] as const;
type Kind = (typeof kinds)[number];

/** CATALOGUE of processes to pause. Of the two ingest processes, the owner of the shard is paused. */
const struck: Readonly<Record<Kind, (scene: ContinuityTestContext) => Promise<ChildProgram>>> = {
  ingest: async (scene) => (await findOwner(ownedOf(scene))).owner,
  worker: async ({ service, random }) => random.pick(service.workers),
  web: async ({ service, random }) => random.pick(service.apis).process,
};

interface Manner {
  readonly kind: Kind;
  readonly inside: boolean;
}

const ownedOf = ({
  service: { ingests },
  read,
  history,
}: ContinuityTestContext): IngestSourceGroup => ({
  source: "shard",
  ingests,
  read,
  history,
});

const nameOf = ({ kind, inside }: Manner): string =>
  `${kind} stands still${inside ? " inside a transaction" : ""}`;

async function standStill(manner: Manner, scene: ContinuityTestContext): Promise<void> {
  const { kind, inside } = manner;
  const { still, history, read, random } = scene;
  await sleep(random.int(200, 2_000));
  const { fence } = await findOwner(ownedOf(scene));
  const one = await struck[kind](scene);
  still.add(one);
  const isStreamHeld = kind === "ingest";
  try {
    const standing = await (inside
      ? pauseInTransaction(one, kind, scene)
      : pauseProcess(one, kind, read));
    const stoodAt = performance.now();
    history.note(`${kind} in ${standing.length} transactions`);
    await Promise.all([
      waitUntilTransactionsEnd(standing, { read, history, withinMs: databaseTimeoutMs }),
      ...(isStreamHeld ? [waitUntilSourceTakenOver(fence, ownedOf(scene))] : []),
      waitUntilServiceWorks(nameOf(manner), { ...scene, isStreamHeld }),
    ]);
    await sleep(Math.max(0, pauseMs - (performance.now() - stoodAt)));
  } finally {
    still.delete(one);
    one.resume();
  }
  await waitUntilServiceWorks(`${nameOf(manner)}, no more`, scene);
}

/**
 * Pauses processes one after another, each for longer than all timeouts.
 * @returns true if no claim was violated
 */
export async function runPauseFaults(options: FaultOptions): Promise<boolean> {
  const database = await DatabaseServer.start({ throwaway: true });
  const random = createRandom(`manners ${options.seed}`);
  // A short run pauses each kind of process once.
  const manners = kinds.flatMap((kind): Manner[] =>
    options.short
      ? [{ kind, inside: random.chance(0.5) }]
      : [true, false].map((inside) => ({ kind, inside })),
  );
  const strikes = Object.fromEntries(
    manners.map((manner): [string, FaultInjection<ContinuityTestContext>] => [
      nameOf(manner),
      (scene) => standStill(manner, scene),
    ]),
  );
  const environment = { DATABASE_TIMEOUT: `${databaseTimeoutMs}ms` };
  return runContinuity({ ...options, name: "pauses", database, environment, strikes });
}
