import { createRandom, type RandomSource } from "../simulator/random.ts";
import { DatabaseServer } from "../support/database/database-server.ts";
import { checkEvents } from "./check-events.ts";
import { checkHooks } from "./check-hooks.ts";
import { checkPushes } from "./check-pushes.ts";
import type { DatabaseReader } from "./check-states.ts";
import { type FaultOptions, runFaultTest, historyOf } from "./fault-run.ts";
import { Follower } from "./follower.ts";
import type { History } from "./history.ts";
import { ObservedWebhooks } from "./hooks.ts";
import { linkShard } from "./link-shard.ts";
import { type FaultContext, strikeProcesses } from "./nemesis.ts";
import { ExternalReceivers } from "./outside.ts";
import { type FaultUsers, preparePeople } from "./people.ts";
import { Pushes } from "./pushes.ts";
import { type Service, startService } from "./service.ts";
import { ShardSimulatorClient } from "./shard.ts";
import { shardMisdeeds, injectSidecarFaults } from "./sidecar-faults.ts";
import { checkShardReconnects } from "./status.ts";

/** Events per second. */
const rate = 60;
const database = "faults";

/**
 * Injects faults into the whole service and checks the results.
 * @returns true if no claim was violated
 */
export async function runFaults(options: FaultOptions): Promise<boolean> {
  const { seed } = options;
  const history = historyOf(options);
  const ground = await DatabaseServer.start({ throwaway: true });
  const outside = await ExternalReceivers.start(seed, history);
  const [pushes, hooks] = [new Pushes(outside, history), new ObservedWebhooks(outside)];
  const around = [pushes, outside, ground];
  return runFaultTest({ name: "service", seed, history, around }, async (keep) => {
    const databaseUrl = await ground.createDatabase(database);
    const people = await preparePeople(databaseUrl, seed);
    const { links } = people;
    const { environment } = outside;
    const service = keep(await startService({ databaseUrl, seed, rate, links, environment }));
    await pushes.follow(databaseUrl, service.apis[0].url);
    await strikeAndCheck({ ...options, ground, service, people, history, outside, pushes, hooks });
  });
}

interface Run extends FaultOptions {
  readonly ground: DatabaseServer;
  readonly service: Service;
  readonly people: FaultUsers;
  readonly history: History;
  readonly outside: ExternalReceivers;
  readonly pushes: Pushes;
  readonly hooks: ObservedWebhooks;
}

async function strikeAndCheck(run: Run): Promise<void> {
  const { ground, service, people, seed, short, history, outside, pushes, hooks } = run;
  const headers = await people.signIn(service.apis[0].url);
  await hooks.follow(service.apis[0].url, headers);
  await linkShard(service.apis[0], service.simulatorUrl, headers);
  await checkShardReconnects(service, history);
  const random = createRandom(`faults ${seed}`);
  const read: DatabaseReader = (text, values) => ground.query(database, text, values);
  const followers = createFollowers(run, headers, random);
  for (const follower of followers) follower.start();
  const shard = new ShardSimulatorClient(service.simulatorUrl);
  const lane = (name: string): FaultContext => {
    return {
      ground,
      service,
      shard,
      followers,
      read,
      random: random.fork(name),
      history,
      pushes,
      hooks,
    };
  };
  const ending = new AbortController();
  const wrongdoer = { name: "sidecar", shard, random: random.fork("sidecar"), history };
  const sidecar = injectSidecarFaults(wrongdoer, shardMisdeeds, ending.signal);
  const moods = { random: random.fork("outside"), withLong: !short };
  const others = outside.strike(moods, ending.signal, () => pushes.announce());
  await strikeProcesses(lane("processes"), { rounds: short ? 1 : 3, withSlow: !short });
  ending.abort();
  await Promise.all([sidecar, others]);
  await checkEvents(lane("settling"), rate);
  await checkPushes(pushes, read, history);
  await checkHooks(hooks, pushes.announced, { read, history });
}

/** The pause of most followers until they reconnect, in milliseconds. */
const briefly = { least: 50, most: 400 };
/** The pause of a follower that misses more events than a replay contains. */
const dozing = { least: 20_000, most: 40_000 };

function createFollowers(
  { service, history, short }: Run,
  headers: { readonly cookie: string },
  random: RandomSource,
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
