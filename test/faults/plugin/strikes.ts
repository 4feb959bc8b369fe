import { setTimeout as sleep } from "node:timers/promises";

import type { PluginAdapter } from "../../simulator/plugin/plugin-adapter.ts";
import type { RandomSource } from "../../simulator/random.ts";
import type { DatabaseServer } from "../../support/database/database-server.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import { endOwner, type IngestSourceGroup, pauseOwner } from "../owner.ts";
import { cutConnections, pauseProgram, restartProgram, restartPrograms } from "../processes.ts";
import { type FaultInjection, injectFaultsInRounds } from "../rounds.ts";
import type { Service } from "../service.ts";

export interface PluginFaultContext {
  readonly ground: DatabaseServer;
  readonly service: Service;
  readonly read: DatabaseReader;
  readonly plugin: PluginAdapter;
  readonly random: RandomSource;
  readonly history: History;
}

/** CATALOGUE of faults of a site whose plugin calls it. */
const strikes = {
  "web killed": ({ service, random }) =>
    restartProgram(random.pick(service.apis).process, "kill", random),
  "web stopped": ({ service, random }) =>
    restartProgram(random.pick(service.apis).process, "stop", random),
  "web killed while it holds the plugin's wait": (scene) =>
    restartProgram(callee(scene).process, "kill", scene.random),
  "web paused while it holds the plugin's wait": (scene) =>
    pauseProgram(callee(scene).process, scene.random.int(500, 4_000)),
  "web killed, both": ({ service, random }) =>
    restartPrograms(
      service.apis.map((api) => api.process),
      random,
    ),
  "ingest owner killed": (scene) => endOwner("kill", shardOf(scene)),
  "ingest owner stopped": (scene) => endOwner("stop", shardOf(scene)),
  "ingest owner paused": (scene) => pauseOwner(shardOf(scene)),
  "ingest killed, both": ({ service, random }) => restartPrograms(service.ingests, random),
  "ingest away while events wait": async ({ service, random }) => {
    await Promise.all(service.ingests.map((ingest) => ingest.kill()));
    await sleep(random.int(2_000, 5_000));
    await Promise.all(service.ingests.map((ingest) => ingest.start()));
  },
  "worker killed": ({ service, random }) =>
    restartProgram(random.pick(service.workers), "kill", random),
  "game's process killed": ({ service, random }) =>
    restartProgram(service.simulator, "kill", random),
  "listeners cut": ({ read }) => cutConnections("application_name = 'guildhall listen'", read),
  "database cut": ({ read }) => cutConnections("pid <> pg_backend_pid()", read),
  "database restarted": ({ ground }) => ground.restart(),
  "database killed": ({ ground }) => ground.crash(),
  "database away for seconds": ({ ground, random }) =>
    ground.whileAway(() => sleep(random.int(1_000, 4_000))),
} as const satisfies Readonly<Record<string, FaultInjection<PluginFaultContext>>>;

/** Applies each fault once per round, in an order drawn from the seed. */
export const strikePluginSite = (
  scene: PluginFaultContext,
  { rounds }: { readonly rounds: number },
): Promise<void> => injectFaultsInRounds(scene, { strikes, rounds });

/** Returns the web process that the plugin calls at present. */
function callee({ service, plugin }: PluginFaultContext) {
  const { apis } = service;
  return apis.find(({ url }) => plugin.siteUrl.startsWith(`${url}/`)) ?? apis[0];
}

const shardOf = ({
  service: { ingests },
  read,
  history,
}: PluginFaultContext): IngestSourceGroup => ({
  source: "shard",
  ingests,
  read,
  history,
});
