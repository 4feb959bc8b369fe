import { createRandom } from "../../simulator/random.ts";
import { shiftDatabase } from "../../support/clock/shifted-database.ts";
import { DatabaseServer } from "../../support/database/database-server.ts";
import type { DatabaseReader } from "../check-states.ts";
import { type FaultOptions, runFaultTest, historyOf } from "../fault-run.ts";
import { linkShard } from "../link-shard.ts";
import { preparePeople } from "../people.ts";
import { startEventService } from "../service.ts";
import { ShardSimulatorClient } from "../shard.ts";
import { PermissionRevoker } from "./authority.ts";
import { checkConfirmedOrders } from "./check-desk.ts";
import { checkRevokedRuns } from "./check-overruled.ts";
import { checkRuns, waitUntilRunsFinish } from "./check-runs.ts";
import { jumpClock } from "./database-clock.ts";
import { EventOperators } from "./desk.ts";
import { checkLeases, loseLeases } from "./lost-leases.ts";
import { EventApiClient } from "./staff.ts";
import { type EventFaultContext, injectEventFaults } from "./strikes.ts";

const database = "event_faults";
const phases = 2;
const stepsPerPhase = 5;
/** The seconds between steps. They make each run long enough to meet faults. */
const offsetSeconds = 3;

/**
 * Runs events while workers are killed or paused for longer than their leases. The shard, the APIs
 * and the database fail too, clocks jump, and starters lose their permissions. Compares the results
 * with the effects on the shard.
 * @returns true if no claim was violated
 */
export async function runEventFaults(options: FaultOptions): Promise<boolean> {
  const { seed, short } = options;
  const history = historyOf(options);
  const ground = await DatabaseServer.start({ throwaway: true });
  const run = { name: "events", seed, history, around: [ground] };
  return runFaultTest(run, async (keep) => {
    const databaseUrl = await ground.createDatabase(database);
    const setClockOff = await shiftDatabase(databaseUrl);
    const people = await preparePeople(databaseUrl, seed);
    const service = keep(await startEventService({ databaseUrl, seed }));
    const headers = await people.signIn(service.apis[0].url);
    await linkShard(service.apis[0], service.simulatorUrl, headers);
    const shard = new ShardSimulatorClient(service.simulatorUrl);
    const read: DatabaseReader = (text, values) => ground.query(database, text, values);
    const staff = new EventApiClient(service.apis, headers);
    const random = createRandom(`events ${seed}`);
    const seen = { service, staff, headers, shard, ground, history, read };
    await goThrough({ ...seen, random, databaseUrl, setClockOff }, short);
  });
}

interface Scene extends EventFaultContext {
  readonly staff: EventApiClient;
  readonly read: DatabaseReader;
  readonly headers: { readonly cookie: string };
  readonly databaseUrl: string;
  readonly setClockOff: (seconds: number) => Promise<void>;
}

async function goThrough(scene: Scene, short: boolean): Promise<void> {
  const { service, staff, read, history, random } = scene;
  const authority = new PermissionRevoker({ ...scene, random: random.fork("authority") });
  await authority.endAmidSteps();
  const runs = await createRuns(staff, short ? 20 : 200);
  const forMs = short ? 15_000 : 120_000;
  const signal = AbortSignal.timeout(forMs);
  const deskRandom = random.fork("desk");
  const desk = new EventOperators({
    ...scene,
    apis: service.apis,
    kills: true,
    random: deskRandom,
  });
  const clock = { ...scene, random: random.fork("clock") };
  await Promise.all([
    injectEventFaults(scene, forMs, !short),
    authority.endAtAnyMoment(signal),
    ...["north", "east", "south", "west"].map((place) => desk.work(`${place} desk`, signal)),
    jumpClock(clock, { signal, withLong: !short }),
  ]);
  const lost = await loseLeases(scene);
  await waitUntilRunsFinish(read, history);
  const steps = runs.length * phases * stepsPerPhase + lost.runIds.length;
  await checkRuns({ ...scene, runs: [...runs, ...lost.runIds], steps });
  await checkLeases(lost, scene);
  await checkRevokedRuns(authority.overruled, scene);
  await checkConfirmedOrders(desk, scene);
}

/**
 * Creates, publishes and verifies an event, and starts runs of it, as an administrator does.
 * @returns the ids of the runs
 */
async function createRuns(staff: EventApiClient, count: number): Promise<number[]> {
  const eventId = await staff.publish("Under faults", spec, { graceSeconds: 3_600 });
  await staff.ask(`POST /admin/events/${eventId}/verify`, {});
  const runs: number[] = [];
  for (let at = 0; at < count; at++) {
    const scheduledFor = new Date(Date.now() + 2_000 + at * 300).toISOString();
    runs.push(await staff.start(eventId, { scheduledFor, params: { n: at } }));
  }
  return runs;
}

const spec = {
  params: [{ name: "n", type: "integer", required: true, default: 0 }],
  phases: Array.from({ length: phases }, (_phase, phase) => ({
    key: `p${phase}`,
    title: `Phase ${phase}`,
    steps: Array.from({ length: stepsPerPhase }, (_step, step) => ({
      key: `s${phase}-${step}`,
      actionId: "shard.broadcast",
      params: { text: `run {{n}} says ${phase}-${step}` },
      offsetSeconds: step * offsetSeconds,
      maxAttempts: 20,
    })),
  })),
};
