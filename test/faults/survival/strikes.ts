import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import type { DatabaseServer } from "../../support/database/database-server.ts";
import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import { endOwner, type IngestSourceGroup, pauseOwner } from "../owner.ts";
import { cutConnections, restartProgram, restartPrograms } from "../processes.ts";
import type { FaultInjection } from "../rounds.ts";
import { commonMisdeeds } from "../sidecar-faults.ts";
import type { GameServer, SurvivalService } from "./start-survival.ts";

/** A game server and its id in the service. */
export interface LinkedServer extends GameServer {
  readonly id: number;
}

export interface SurvivalFaultContext {
  readonly service: SurvivalService;
  readonly servers: readonly LinkedServer[];
  readonly ground: DatabaseServer;
  readonly read: DatabaseReader;
  readonly random: RandomSource;
  readonly history: History;
  /** Changes a server over the API, as an administrator. */
  readonly change: (id: number, fields: object) => Promise<void>;
}

type Strikes = Readonly<Record<string, FaultInjection<SurvivalFaultContext>>>;

/** CATALOGUE of faults of processes, the database and the configured servers. */
export const strikes: Strikes = {
  "ingest owner killed": (scene) => endOwner("kill", ownedOf(scene)),
  "ingest owner stopped": (scene) => endOwner("stop", ownedOf(scene)),
  "ingest killed, both": ({ service, random }) => restartPrograms(service.ingests, random),
  "game server killed": ({ servers, random }) =>
    restartProgram(random.pick(servers).process, "kill", random),
  "game servers killed, both": ({ servers, random }) =>
    restartPrograms(
      servers.map(({ process }) => process),
      random,
    ),
  "listeners cut": ({ read }) => cutConnections("application_name = 'guildhall listen'", read),
  "ingest cut": ({ read }) => cutConnections("application_name like 'guildhall ingest%'", read),
  "database cut": ({ read }) => cutConnections("pid <> pg_backend_pid()", read),
  "a server switched off and on": async ({ servers, random, change }) => {
    const { id } = random.pick(servers);
    await change(id, { enabled: false });
    await sleep(random.int(0, 1_500));
    await change(id, { enabled: true });
  },
};

/** CATALOGUE of faults that take too long for a short run. */
export const slowStrikes: Strikes = {
  "ingest owner paused": (scene) => pauseOwner(ownedOf(scene)),
  "database restarted": ({ ground }) => ground.restart(),
};

const ownedOf = ({
  service: { ingests },
  servers,
  read,
  random,
  history,
}: SurvivalFaultContext): IngestSourceGroup => ({
  source: `survival:${random.pick(servers).id}`,
  ingests,
  read,
  history,
});

/** CATALOGUE of faults of a survival server's sidecar and its game. */
export const survivalMisdeeds = {
  ...commonMisdeeds,
  // Do not change the clock: the service ignores a clan board that is older than the stored one, so the tables
  // would differ until the clock catches up.
  skew: () => undefined,
  wipe: (random: RandomSource) =>
    random.chance(0.4)
      ? { blueprints: random.pick(["kept", "wiped", "unknown"]), forced: random.chance(0.3) }
      : undefined,
  olderSave: (random: RandomSource) => (random.chance(0.4) ? { saveId: 0 } : undefined),
  ghost: (random: RandomSource) => ({ count: random.int(1, 3) }),
};
