import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import type { DatabaseServer } from "../../support/database/database-server.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import type { History } from "../history.ts";
import type { EventService } from "../service.ts";
import type { ShardSimulatorClient } from "../shard.ts";

export interface EventFaultContext {
  readonly service: EventService;
  readonly shard: ShardSimulatorClient;
  readonly ground: DatabaseServer;
  readonly history: History;
  readonly random: RandomSource;
}

/**
 * The duration of a pause. It exceeds the lease of a step, so another worker has claimed the step.
 */
const pauseMs = { least: 31_000, most: 38_000 };

/**
 * CATALOGUE of faults of commands on the shard. The effect of a command happens as usual, late or
 * not at all.
 */
const misdeeds: Readonly<Record<string, (random: RandomSource) => object>> = {
  slow: (random) => ({ method: "POST", path: "/v1/broadcast", ms: random.int(500, 4_000) }),
  cut: () => ({ method: "POST", path: "/v1/broadcast", times: 2 }),
  status: (random) => ({
    method: "POST",
    path: "/v1/broadcast",
    status: 503,
    code: "SHARD_DOWN",
    carryOut: random.chance(0.5),
    times: 2,
  }),
  hang: (random) => ({ method: "POST", path: "/v1/broadcast", carryOut: random.chance(0.5) }),
  limit: () => ({ times: 2 }),
  freeze: (random) => ({
    ms: random.int(500, 4_000),
    patienceMs: random.pick([0, 200]),
  }),
  restart: (random) => ({ downMs: random.int(20, 1_500), crash: random.chance(0.5) }),
  vanish: (random) => ({ ms: random.int(50, 1_500) }),
};

/**
 * Kills or pauses a worker about every second, while the shard misbehaves. Restarts the database twice. Returns
 * when everything runs again.
 */
export async function injectEventFaults(
  scene: EventFaultContext,
  forMs: number,
  withLong: boolean,
): Promise<void> {
  const signal = AbortSignal.timeout(forMs);
  await Promise.all([
    strikeWorkers(scene, scene.random.fork("workers"), { signal, withLong }),
    strikeShard(scene, scene.random.fork("shard"), signal),
    ...(withLong ? [restartDatabase(scene, [forMs / 3, (2 * forMs) / 3])] : []),
  ]);
  await scene.shard.present();
  await scene.shard.clearFaults();
}

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

interface WorkerStrikes {
  readonly signal: AbortSignal;
  readonly withLong: boolean;
}

async function strikeWorkers(
  { service, history }: EventFaultContext,
  random: RandomSource,
  { signal, withLong }: WorkerStrikes,
): Promise<void> {
  const struck = new Map<ChildProgram, Promise<void>>();
  let paused = 0;
  const strike = async (worker: ChildProgram): Promise<void> => {
    if (withLong && paused === 0 && random.chance(0.3)) {
      paused++;
      history.note("worker paused beyond its leases");
      worker.pause();
      await sleep(random.int(pauseMs.least, pauseMs.most));
      worker.resume();
      paused--;
      return;
    }
    history.note("worker killed");
    await worker.kill();
    await sleep(random.int(0, 1_000));
    await worker.start();
  };
  while (!signal.aborted) {
    const free = service.workers.filter((worker) => !struck.has(worker));
    if (free.length > 0) {
      const worker = random.pick(free);
      const over = strike(worker).finally(() => struck.delete(worker));
      struck.set(worker, over);
    }
    await rest(random.int(600, 1_600), signal);
  }
  await Promise.all(struck.values());
}

async function strikeShard(
  { shard, history }: EventFaultContext,
  random: RandomSource,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const fault = random.pick(Object.keys(misdeeds));
    const misdeed = { fault, ...misdeeds[fault]?.(random) };
    await shard.strike(misdeed).then(
      () => history.note(`shard: ${fault}`, misdeed),
      () => history.note("shard: away"),
    );
    await rest(random.int(300, 1_500), signal);
  }
}

async function restartDatabase(
  { ground, history }: EventFaultContext,
  atMs: readonly number[],
): Promise<void> {
  let before = 0;
  for (const at of atMs) {
    await sleep(at - before);
    before = at;
    await ground.restart();
    history.note("database restarted");
  }
}
