import { mergeVisibility } from "../../shared/shard/visibility.ts";
import { createRandom, type Random } from "../simulator/random.ts";
import { Ground } from "../support/ground.ts";
import type { OwnProcess } from "../support/own-process.ts";
import type { Read } from "./check-states.ts";
import { checkStore } from "./check-store.ts";
import { carriedBy, checkStream } from "./check-streams.ts";
import { Follower } from "./follower.ts";
import { History } from "./history.ts";
import { type Scene, strikeProcesses, strikeSidecar } from "./nemesis.ts";
import { type People, preparePeople } from "./people.ts";
import { bridgeToken, type Service, startService } from "./service.ts";
import { settle } from "./settle.ts";
import { Shard } from "./shard.ts";
import { showReconnecting } from "./status.ts";

export interface FaultsOptions {
  /** The same seed meets the same faults in the same order. */
  readonly seed: string;
  /** Under a minute: one round without the faults that take long. */
  readonly short: boolean;
  /** Tells everything as it happens. */
  readonly verbose: boolean;
}

/** Events a second. */
const rate = 60;
const database = "faults";

/** Runs the whole service under faults and checks what came of it. @returns whether all held */
export async function runFaults(options: FaultsOptions): Promise<boolean> {
  const { seed } = options;
  const history = new History(options.verbose ? print : undefined);
  const ground = await Ground.start({ throwaway: true });
  let service: Service | undefined;
  try {
    const databaseUrl = await ground.createDatabase(database);
    const people = await preparePeople(databaseUrl, seed);
    service = await startService({ ground, databaseUrl, seed, rate, links: people.links });
    await strikeAndCheck({ ...options, service, people, history });
  } catch (error) {
    history.violate("the run goes through", { error: String((error as Error).stack ?? error) });
  }
  const processes = service?.processes ?? [];
  for (const { name, deaths } of processes) {
    history.claim(`${name} ends only when it is ended`, deaths.length === 0, { deaths });
  }
  await service?.stop();
  await ground.stop();
  return report(seed, history, processes);
}

interface Run extends FaultsOptions {
  readonly service: Service;
  readonly people: People;
  readonly history: History;
}

async function strikeAndCheck(run: Run): Promise<void> {
  const { service, people, seed, short, history } = run;
  const headers = await people.signIn(service.apis[0].url);
  await link(service, headers);
  await showReconnecting(service, history);
  const random = createRandom(`faults ${seed}`);
  const read: Read = (text, values) => service.ground.query(database, text, values);
  const followers = createFollowers(run, headers, random);
  for (const follower of followers) follower.start();
  const shard = new Shard(service.simulatorUrl);
  const lane = (name: string): Scene => {
    return { service, shard, followers, read, random: random.fork(name), history };
  };
  const ending = new AbortController();
  const sidecar = strikeSidecar(lane("sidecar"), ending.signal);
  await strikeProcesses(lane("processes"), { rounds: short ? 1 : 3, withSlow: !short });
  ending.abort();
  await sidecar;
  await check(lane("settling"));
}

/** Points the service at the simulator as an administrator does. */
async function link({ apis, simulatorUrl }: Service, headers: { cookie: string }): Promise<void> {
  const response = await fetch(`${apis[0].url}/api/v1/admin/shardlink/config`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      baseUrl: simulatorUrl,
      wsUrl: `${simulatorUrl.replace("http", "ws")}/v1/stream`,
      token: bridgeToken,
      protocol: 8,
      enabled: true,
    }),
  });
  if (response.status !== 200) throw new Error(`linking answered ${await response.text()}`);
}

/** Milliseconds that a follower stays away when it was cut off. */
const briefly = { least: 50, most: 400 };
/** Long enough to miss more than is sent again. */
const dozing = { least: 20_000, most: 40_000 };

function createFollowers(
  { service, history, short }: Run,
  headers: { readonly cookie: string },
  random: Random,
): Follower[] {
  const apis = service.apis.map(({ url }) => url);
  const shared = { apis, history };
  const browser = (name: string): Follower => {
    const own = { name, random: random.fork(name), headers: {}, away: briefly };
    return new Follower({ ...shared, ...own, stream: "public" });
  };
  const admin = (name: string, away = briefly): Follower => {
    const own = { name, random: random.fork(name), headers, away };
    return new Follower({ ...shared, ...own, stream: "admin" });
  };
  return [
    ...["browser 1", "browser 2", "browser 3", "browser 4"].map(browser),
    admin("admin 1"),
    admin("admin 2"),
    ...(short ? [] : [admin("an admin who dozes", dozing)]),
  ];
}

async function check(scene: Scene): Promise<void> {
  const { service, shard, followers, history } = scene;
  const stored = await settle(scene, rate);
  await Promise.all(followers.map((follower) => follower.stop()));
  history.find("store", checkStore(await shard.log(), stored, service.journal, history));
  const visibility = mergeVisibility({});
  for (const follower of followers) {
    const carried = carriedBy(follower.stream, visibility);
    history.find("stream", checkStream(follower, stored, carried, history));
  }
}

function report(seed: string, history: History, processes: readonly OwnProcess[]): boolean {
  const lines = [...history.counts].map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
  print(...lines, ...history.findings);
  if (history.violations.length === 0) {
    print("all invariants held");
    return true;
  }
  const said = Object.fromEntries(processes.map((one) => [one.name, one.said]));
  print("", history.tail(60), "");
  print(...history.violations.slice(0, 40).map((violation) => `VIOLATED: ${violation}`));
  const file = history.write(seed, { said });
  print(`${history.violations.length} violations with seed ${seed}; all that happened: ${file}`);
  return false;
}

const print = (...lines: readonly string[]): void =>
  void process.stdout.write(`${lines.join("\n")}\n`);
