import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../simulator/random.ts";
import type { DatabaseServer } from "../support/database/database-server.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import type { DatabaseReader } from "./check-states.ts";
import type { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import type { ObservedWebhooks } from "./hooks.ts";
import { endOwner, type IngestSourceGroup, pauseMs, pauseOwner } from "./owner.ts";
import { cutConnections, pauseProgram, restartProgram, restartPrograms } from "./processes.ts";
import type { Pushes } from "./pushes.ts";
import { phases } from "./reach.ts";
import { type FaultInjection, injectFaultsInRounds } from "./rounds.ts";
import type { Service } from "./service.ts";
import type { ShardSimulatorClient } from "./shard.ts";

export interface FaultContext {
  readonly ground: DatabaseServer;
  readonly service: Service;
  readonly shard: ShardSimulatorClient;
  readonly followers: readonly Follower[];
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
  readonly pushes: Pushes;
  readonly hooks: ObservedWebhooks;
}

/**
 * The lease of a webhook delivery. After it, another worker may take the delivery. An attempt takes
 * at most ten seconds.
 */
const leaseMs = 30_000;

/**
 * CATALOGUE of faults of processes and the database. Each run applies them in an order of its own.
 */
const strikes = {
  "api killed": ({ service, random }) =>
    restartProgram(random.pick(service.apis).process, "kill", random),
  "api stopped": ({ service, random }) =>
    restartProgram(random.pick(service.apis).process, "stop", random),
  "ingest owner killed": (scene) => endOwner("kill", shardOf(scene)),
  "ingest owner stopped": (scene) => endOwner("stop", shardOf(scene)),
  "ingest killed, both": ({ service, random }) => restartPrograms(service.ingests, random),
  "simulator killed": ({ service, random }) => restartProgram(service.simulator, "kill", random),
  "worker killed": (scene) => killWorker(scene),
  "worker killed amid a push": async (scene) => {
    const { random, pushes } = scene;
    await pushes.announce();
    await sleep(random.int(0, 500));
    await killWorker(scene);
  },
  "workers killed amid a push, both": async (scene) => {
    const { random, pushes } = scene;
    await pushes.announce();
    await sleep(random.int(0, 500));
    await killWorkers(scene);
  },
  "workers killed in each phase of a push's delivery": async (scene) => {
    const { pushes } = scene;
    for (const phase of phases) {
      await pushes.reach.until(phase, () => pushes.announce());
      await killWorkers(scene);
    }
  },
  "worker paused in each phase of a push's delivery": async ({ service, random, pushes }) => {
    for (const phase of phases) {
      await pushes.reach.until(phase, () => pushes.announce());
      await pauseProgram(random.pick(service.workers), random.int(500, 3_500));
    }
  },
  "worker paused amid a push": async ({ service, random, pushes }) => {
    await pushes.announce();
    await sleep(random.int(0, 500));
    await pauseProgram(random.pick(service.workers), random.int(500, 3_500));
  },
  "workers killed in each phase of a webhook's delivery": async (scene) => {
    const { pushes, hooks } = scene;
    for (const phase of phases) {
      await hooks.reach.until(phase, () => pushes.announce());
      await killWorkers(scene);
    }
  },
  "worker paused amid a webhook's delivery": async ({ service, random, pushes, hooks }) => {
    await hooks.reach.until(random.pick(phases), () => pushes.announce());
    await pauseProgram(random.pick(service.workers), random.int(500, 3_500));
  },
  "listeners cut": ({ read }) => cutConnections("application_name = 'guildhall listen'", read),
  "ingest cut": ({ read }) => cutConnections("application_name like 'guildhall ingest%'", read),
  "database cut": ({ read }) => cutConnections("pid <> pg_backend_pid()", read),
  "network of browsers cut": async ({ followers, random }) => {
    for (const follower of followers) if (random.chance(0.5)) follower.cut();
  },
} as const satisfies Readonly<Record<string, FaultInjection<FaultContext>>>;

/** CATALOGUE of faults that take too long for a short run. */
const slowStrikes = {
  "ingest owner paused": (scene) => pauseOwner(shardOf(scene)),
  "worker paused until its jobs are others'": async ({ service, random, pushes }) => {
    await pushes.announce();
    await sleep(random.int(0, 500));
    await pauseProgram(random.pick(service.workers), pauseMs + 3_000);
  },
  "worker paused until its deliveries are others'": async ({ service, random, pushes, hooks }) => {
    await hooks.reach.until(random.pick(phases), () => pushes.announce());
    await pauseProgram(random.pick(service.workers), leaseMs + random.int(2_000, 6_000));
  },
  "database restarted": ({ ground }) => ground.restart(),
} as const satisfies Readonly<Record<string, FaultInjection<FaultContext>>>;

/** Applies each fault once per round, in an order drawn from the seed. */
export const strikeProcesses = (
  scene: FaultContext,
  { rounds, withSlow }: { readonly rounds: number; readonly withSlow: boolean },
): Promise<void> =>
  injectFaultsInRounds(scene, { strikes: { ...strikes, ...(withSlow && slowStrikes) }, rounds });

const killWorker = (scene: FaultContext): Promise<void> =>
  killAll([scene.random.pick(scene.service.workers)], scene);

const killWorkers = (scene: FaultContext): Promise<void> => killAll(scene.service.workers, scene);

async function killAll(
  workers: readonly ChildProgram[],
  { random, pushes }: FaultContext,
): Promise<void> {
  pushes.workersKilled += workers.length;
  await Promise.all(workers.map((worker) => restartProgram(worker, "kill", random)));
}

const shardOf = ({ service: { ingests }, read, history }: FaultContext): IngestSourceGroup => ({
  source: "shard",
  ingests,
  read,
  history,
});
