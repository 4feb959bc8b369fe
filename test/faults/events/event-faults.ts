import { createRandom } from "../../simulator/random.ts";
import { Ground } from "../../support/ground.ts";
import type { Read } from "../check-states.ts";
import { History } from "../history.ts";
import { linkShard } from "../link-shard.ts";
import { preparePeople } from "../people.ts";
import { type EventService, startEventService } from "../service.ts";
import { Shard } from "../shard.ts";
import { checkRuns, untilFinished } from "./check-runs.ts";
import { strikeEvents } from "./strikes.ts";

export interface EventFaultsOptions {
  readonly seed: string;
  /** Some twenty seconds of faults, without those that take longer. */
  readonly short: boolean;
  readonly verbose: boolean;
}

const database = "event_faults";
const phases = 2;
const stepsPerPhase = 5;
/** Apart, so that every run meets faults in the middle of it. */
const offsetSeconds = 3;

/**
 * Has runs of events go on while their workers are killed and stand still beyond their leases, the
 * shard and the database fail, and holds what became of them against what the shard saw.
 * @returns whether all held
 */
export async function runEventFaults(options: EventFaultsOptions): Promise<boolean> {
  const { seed, short } = options;
  const history = new History(options.verbose ? print : undefined);
  const ground = await Ground.start({ throwaway: true });
  let service: EventService | undefined;
  try {
    const databaseUrl = await ground.createDatabase(database);
    const people = await preparePeople(databaseUrl, seed);
    service = await startEventService({ databaseUrl, seed });
    const headers = await people.signIn(service.api.url);
    await linkShard(service.api, service.simulatorUrl, headers);
    const runs = await createRuns(service.api.url, headers, short ? 20 : 200);
    const shard = new Shard(service.simulatorUrl);
    const read: Read = (text, values) => ground.query(database, text, values);
    const scene = { service, shard, ground, history, random: createRandom(`events ${seed}`) };
    await strikeEvents(scene, short ? 15_000 : 120_000, !short);
    await untilFinished(read, history);
    await checkRuns({ runs, steps: phases * stepsPerPhase, shard, read, history });
  } catch (error) {
    history.violate("the run goes through", { error: String((error as Error).stack ?? error) });
  }
  for (const { name, deaths } of service?.processes ?? []) {
    history.claim(`${name} ends only when it is ended`, deaths.length === 0, { deaths });
  }
  const said = Object.fromEntries((service?.processes ?? []).map((one) => [one.name, one.said]));
  await service?.stop();
  await ground.stop();
  return history.report({ name: "events", seed }, { said });
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** As an administrator does: writes the event, publishes and verifies it, and has it take place. */
async function createRuns(
  api: string,
  headers: { readonly cookie: string },
  count: number,
): Promise<number[]> {
  const admin = `${api}/api/v1/admin/events`;
  const { event } = await send<{ event: { id: number } }>("POST", admin, {
    headers,
    body: { title: "Under faults", graceSeconds: 3_600, spec },
  });
  for (const what of ["publish", "verify"]) {
    await send("POST", `${admin}/${event.id}/${what}`, { headers, body: {} });
  }
  const runs: number[] = [];
  for (let at = 0; at < count; at++) {
    const scheduledFor = new Date(Date.now() + 2_000 + at * 300).toISOString();
    const body = { scheduledFor, params: { n: at } };
    const made = await send<{ run: { id: number } }>("POST", `${admin}/${event.id}/runs`, {
      headers,
      body,
    });
    runs.push(made.run.id);
  }
  return runs;
}

async function send<T>(
  method: string,
  url: string,
  { headers, body }: { readonly headers: { readonly cookie: string }; readonly body: object },
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
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
