import { waitUntil } from "../../support/clock/wait.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { EventService } from "../service.ts";
import type { ShardSimulatorClient } from "../shard.ts";
import type { EventApiClient } from "./staff.ts";

/** A lease whose worker is dead. */
interface Lost {
  readonly stepId: number;
  readonly attempts: number;
  readonly until: Date;
}

/** The time within which a running worker must claim a step after the end of its lease. */
const withinMs = 5_000;
const runs = 4;

export interface LostLeases {
  readonly runIds: readonly number[];
  readonly leases: readonly Lost[];
  /** The time at which the workers run again, by the database's clock. */
  readonly backAt: Date;
}

interface Scene {
  readonly service: EventService;
  readonly staff: EventApiClient;
  readonly shard: ShardSimulatorClient;
  readonly read: DatabaseReader;
  readonly history: History;
}

/**
 * Kills all workers while their steps wait for answers.
 * @returns the leases they held and the time of the restart
 */
export async function loseLeases(scene: Scene): Promise<LostLeases> {
  const { service, shard, read, history } = scene;
  await shard.strike({ fault: "hang", method: "POST", path: "/v1/broadcast", times: 0 });
  const runIds = await beginRuns(scene);
  const leases = await killAmidSteps(scene, runIds);
  history.note("workers killed, all");
  await shard.clearFaults();
  await startAll(service);
  const [back] = await read<{ at: Date }>("select clock_timestamp() as at");
  if (!back) throw new Error("the database tells no time");
  return { runIds, leases, backAt: back.at };
}

/**
 * Kills all workers until one kill interrupts a running step of each run. A step that was answered before the
 * kill waits for a retry instead.
 */
async function killAmidSteps(
  { service, read }: Scene,
  runIds: readonly number[],
): Promise<readonly Lost[]> {
  const isAtWork = "status = 'running' and lease_owner is not null";
  const areAllAtWork = async (): Promise<boolean> => {
    const text = `select from event_steps where run_id = any($1) and ${isAtWork}`;
    return (await read(text, [runIds])).length === runIds.length;
  };
  for (;;) {
    await waitUntil("each has a step at work", areAllAtWork);
    await Promise.all(service.workers.map((worker) => worker.kill()));
    if (await areAllAtWork()) break;
    await startAll(service);
  }
  return read<Lost & Record<string, unknown>>(
    `select id as "stepId", attempts, lease_until as until from event_steps where ${isAtWork}`,
  );
}

const startAll = async ({ workers }: EventService): Promise<void> => {
  await Promise.all(workers.map((worker) => worker.start()));
};

function beginRuns({ staff }: Scene): Promise<number[]> {
  return Promise.all(
    Array.from({ length: runs }, async (_, place) => {
      const step = {
        key: "only",
        actionId: "shard.broadcast",
        params: { text: `lost ${place}` },
        maxAttempts: 20,
      };
      const phases = [{ key: "only", title: "Only", steps: [step] }];
      return staff.start(await staff.publish(`Lost ${place}`, { phases }));
    }),
  );
}

const lost = {
  "step.started": "the worker that ran the step was lost",
  // A step of a canceled run is not claimed again. It is marked as cancelled.
  cancelled: "the worker that ran the step was lost, and the outcome is unknown",
};

interface Taken {
  readonly stepId: number;
  readonly kind: keyof typeof lost;
  readonly attempt: number | null;
  readonly at: Date;
  readonly reason: string | null;
}

/** Requires each step to be claimed again after its lease and within the limit. */
export async function checkLeases(
  { leases, backAt }: LostLeases,
  { read, history }: Pick<Scene, "read" | "history">,
): Promise<void> {
  const taken = await read<Taken & Record<string, unknown>>(
    `select step_id as "stepId", kind, (detail ->> 'attempt')::int as attempt, at,
       detail ->> 'reason' as reason
     from event_log_lines where step_id = any($1) and kind in ('step.started', 'cancelled')`,
    [leases.map(({ stepId }) => stepId)],
  );
  const lateness = leases.map((lease) => {
    const next = taken.find(
      ({ stepId, attempt }) =>
        stepId === lease.stepId && (attempt === null || attempt === lease.attempts + 1),
    );
    // Measure from `backAt` if it is later: on a busy machine, workers may start after the lease has ended.
    const dueAt = Math.max(lease.until.valueOf(), backAt.valueOf());
    const lateMs = next ? Math.max(0, next.at.valueOf() - dueAt) : null;
    const isInTime = lateMs !== null && lateMs <= withinMs;
    const isLost = next !== undefined && next.at >= lease.until && next.reason === lost[next.kind];
    const isTakenOver = isInTime && isLost;
    history.claim("a step is taken over within 5 s of its lease's end", isTakenOver, {
      ...lease,
      next,
    });
    return lateMs ?? Number.NaN;
  });
  history.claim("leases ended with nobody to renew them", lateness.length >= runs);
  history.find("leases", { lost: lateness.length, mostLateMs: Math.max(...lateness) });
}
