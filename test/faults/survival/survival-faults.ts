import { setTimeout as sleep } from "node:timers/promises";

import { createRandom } from "../../simulator/random.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { DatabaseServer } from "../../support/database/database-server.ts";
import type { DatabaseReader } from "../check-states.ts";
import { type FaultOptions, runFaultTest, historyOf } from "../fault-run.ts";
import type { History } from "../history.ts";
import { RequestRefusedError, sendApiRequest } from "../outside.ts";
import { preparePeople } from "../people.ts";
import { injectFaultsInRounds } from "../rounds.ts";
import { injectSidecarFaults } from "../sidecar-faults.ts";
import { checkNotices, checkNothingAnnounced } from "./check-notices.ts";
import { checkServer, findDifferences } from "./check-server.ts";
import { restoreOlderWorld } from "./reopen.ts";
import { type GameServer, startSurvival, type SurvivalService } from "./start-survival.ts";
import {
  type LinkedServer,
  slowStrikes,
  strikes,
  survivalMisdeeds,
  type SurvivalFaultContext,
} from "./strikes.ts";

const database = "survival_faults";
/** Events per second of each server. */
const rate = 30;
const settleMs = 120_000;

/**
 * Injects faults into two survival servers, their sidecars and ingest. Compares each server's
 * stored data with its events.
 * @returns true if no claim was violated
 */
export async function runSurvivalFaults(options: FaultOptions): Promise<boolean> {
  const { seed } = options;
  const history = historyOf(options);
  const ground = await DatabaseServer.start({ throwaway: true });
  const run = { name: "survival", seed, history, around: [ground] };
  return runFaultTest(run, async (keep) => {
    const databaseUrl = await ground.createDatabase(database);
    const people = await preparePeople(databaseUrl, seed);
    const service = keep(await startSurvival({ databaseUrl, seed }));
    const { cookie } = await people.signIn(service.api.url);
    await strikeAndCheck({ ...options, service, ground, history, cookie });
  });
}

interface Run extends FaultOptions {
  readonly service: SurvivalService;
  readonly ground: DatabaseServer;
  readonly history: History;
  readonly cookie: string;
}

async function strikeAndCheck(run: Run): Promise<void> {
  const { service, ground, history, seed, short, cookie } = run;
  const admin = `${service.api.url}/api/v1/admin/survival/servers`;
  const servers = await Promise.all(
    service.servers.map((server) => addServer(admin, server, cookie)),
  );
  const read: DatabaseReader = (text, values) => ground.query(database, text, values);
  const random = createRandom(`survival faults ${seed}`);
  const change = (id: number, body: object): Promise<void> =>
    waitUntil(`server ${id} is changed`, () => isTaken(`${admin}/${id}`, { cookie, body }));
  const scene = { service, servers, ground, read, random, history, change };
  await untilSettled(scene);
  await checkNothingAnnounced(scene);
  for (const { pace, simulator } of servers) {
    pace.rate = rate;
    await simulator.setRate(rate);
  }
  const ending = new AbortController();
  const sidecars = servers.map(({ name, simulator }) =>
    injectSidecarFaults(
      { name, shard: simulator, random: random.fork(name), history },
      survivalMisdeeds,
      ending.signal,
    ),
  );
  await injectFaultsInRounds(scene, {
    strikes: { ...strikes, ...(!short && slowStrikes) },
    rounds: short ? 1 : 3,
  });
  ending.abort();
  await Promise.all(sidecars);
  for (const { simulator } of servers) await calm(simulator);
  await untilSettled(scene);
  await restoreOlderWorld(servers, { read, history, settle: () => untilSettled(scene) });
  for (const server of servers) {
    await checkServer(server, scene);
    await checkNotices(server, scene);
  }
}

/** Ends the faults of a game server. Emits many events and then stops the events. */
async function calm(simulator: GameServer["simulator"]): Promise<void> {
  await simulator.present();
  await simulator.clearFaults();
  await waitUntil("the game runs", async () => (await simulator.status()).bootId !== null);
  await simulator.happen(rate * 6);
  await simulator.setRate(0);
}

/** Adds a server as an administrator does. */
async function addServer(admin: string, server: GameServer, cookie: string): Promise<LinkedServer> {
  const { name, url, token } = server;
  const wsUrl = `${url.replace("http", "ws")}/v1/stream`;
  const body = { name, baseUrl: url, wsUrl, token, enabled: true, listed: true };
  const made = await sendApiRequest<{ server: { id: number } }>(admin, "POST", { cookie, body });
  return { ...server, id: made.server.id };
}

/** Sends a request. @returns false if the API answers with Retry-After because the database is down */
async function isTaken(url: string, given: { cookie: string; body: object }): Promise<boolean> {
  try {
    await sendApiRequest(url, "PUT", given);
    return true;
  } catch (error) {
    if (error instanceof RequestRefusedError && error.status === 503) return false;
    throw error;
  }
}

async function untilSettled({ servers, read, history }: SurvivalFaultContext): Promise<void> {
  let differences: readonly string[] = [];
  const allSettled = async (): Promise<boolean> => {
    await sleep(250);
    differences = (
      await Promise.all(servers.map((server) => findDifferences(server, read)))
    ).flat();
    return differences.length === 0;
  };
  try {
    await waitUntil("all is stored and as it is on the game servers", allSettled, settleMs);
  } catch (error) {
    history.violate(String(error), { differences: differences.slice(0, 20) });
  }
}
