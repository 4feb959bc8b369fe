import type { QueryResultRow } from "pg";

import { createRandom, type RandomSource } from "../../simulator/random.ts";
import type { ChildProgram } from "../../support/service/own-process.ts";
import { checkEvents } from "../check-events.ts";
import type { DatabaseReader } from "../check-states.ts";
import { checkConfirmedOrders } from "../events/check-desk.ts";
import { waitUntilRunsFinish } from "../events/check-runs.ts";
import { EventOperators } from "../events/desk.ts";
import { type FaultOptions, runFaultTest, historyOf } from "../fault-run.ts";
import { Follower } from "../follower.ts";
import type { History } from "../history.ts";
import { linkShard } from "../link-shard.ts";
import { preparePeople } from "../people.ts";
import { type FaultInjection, injectFaultsInRounds } from "../rounds.ts";
import { type Service, startService } from "../service.ts";
import { ShardSimulatorClient } from "../shard.ts";
import { checkWrittenPosts, PostWriter } from "./scribe.ts";

/** The database server, or the pair of servers, of the service. */
interface Database {
  createDatabase(name: string): Promise<string>;
  query<Row extends QueryResultRow>(
    database: string,
    text: string,
    values?: unknown[],
  ): Promise<Row[]>;
  stop(): Promise<void>;
}

export interface ContinuityTestContext {
  readonly service: Service;
  readonly shard: ShardSimulatorClient;
  readonly followers: readonly Follower[];
  readonly scribes: readonly PostWriter[];
  /** The processes that are paused now. */
  readonly still: Set<ChildProgram>;
  readonly longest: Map<string, number>;
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
}

interface Run extends FaultOptions {
  readonly name: string;
  readonly database: Database;
  /** Environment variables of every process. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly strikes: Readonly<Record<string, FaultInjection<ContinuityTestContext>>>;
}

/** Events per second. */
const rate = 30;
const databaseName = "continuity";

/**
 * Injects faults into the whole service during events, runs and writes. Each confirmed write must
 * exist exactly once.
 * @returns true if no claim was violated
 */
export async function runContinuity(run: Run): Promise<boolean> {
  const { name, seed, database, environment = {} } = run;
  const history = historyOf(run);
  return runFaultTest({ name, seed, history, around: [database] }, async (keep) => {
    const databaseUrl = await database.createDatabase(databaseName);
    const people = await preparePeople(databaseUrl, seed);
    const { links } = people;
    const service = keep(await startService({ databaseUrl, seed, rate, links, environment }));
    const headers = await people.signIn(service.apis[0].url);
    await linkShard(service.apis[0], service.simulatorUrl, headers);
    await strikeAndCheck(run, { service, headers, history });
  });
}

interface Ready {
  readonly service: Service;
  readonly headers: { readonly cookie: string };
  readonly history: History;
}

async function strikeAndCheck(run: Run, { service, headers, history }: Ready): Promise<void> {
  const { name, seed, short, database, strikes } = run;
  const random = createRandom(`${name} ${seed}`);
  const read: DatabaseReader = (text, values) => database.query(databaseName, text, values);
  const shard = new ShardSimulatorClient(service.simulatorUrl);
  const followers = createFollowers(service, headers, { history, random });
  const scribes = service.apis.map((api) => new PostWriter(api, headers));
  const still = new Set<ChildProgram>();
  const longest = new Map<string, number>();
  const seen = { service, shard, followers, scribes, still, longest, read, history };
  const desk = new EventOperators({
    ...seen,
    apis: service.apis,
    headers,
    random: random.fork("desk"),
  });
  for (const follower of followers) follower.start();
  const ending = new AbortController();
  const people = [
    ...scribes.map((scribe) => scribe.work(ending.signal)),
    ...["one", "two", "three"].map((place) => desk.work(`desk ${place}`, ending.signal)),
  ];
  const scene = { ...seen, random: random.fork("strikes") };
  await injectFaultsInRounds(scene, { strikes, rounds: short ? 1 : 3 });
  ending.abort();
  await Promise.all(people);
  await waitUntilRunsFinish(read, history);
  history.find("longest away, in ms", Object.fromEntries(longest));
  await checkConfirmedOrders(desk, seen);
  await checkWrittenPosts(scribes, seen);
  await checkEvents(seen, rate);
}

function createFollowers(
  { apis }: Service,
  headers: { readonly cookie: string },
  { history, random }: { readonly history: History; readonly random: RandomSource },
): Follower[] {
  const shared = { apis: apis.map(({ url }) => url), history, away: { least: 50, most: 400 } };
  const of = (name: string, stream: Follower["stream"]): Follower =>
    new Follower({
      ...shared,
      name,
      stream,
      headers: stream === "admin" ? headers : {},
      random: random.fork(name),
    });
  return [of("browser 1", "public"), of("browser 2", "public"), of("admin", "admin")];
}
