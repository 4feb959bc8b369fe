import { hashToken, generateToken } from "../../../shared/platform/crypto/tokens.ts";
import { pluginKeyPrefix } from "../../../shared/platform/plugin/calls.ts";
import { PluginAdapter } from "../../simulator/plugin/plugin-adapter.ts";
import { createRandom, type RandomSource } from "../../simulator/random.ts";
import { DatabaseServer } from "../../support/database/database-server.ts";
import { checkEvents } from "../check-events.ts";
import type { DatabaseReader } from "../check-states.ts";
import { type FaultOptions, runFaultTest, historyOf } from "../fault-run.ts";
import { Follower } from "../follower.ts";
import type { History } from "../history.ts";
import { preparePeople } from "../people.ts";
import { bridgeToken, type Service, startService } from "../service.ts";
import { ShardSimulatorClient } from "../shard.ts";
import { commonMisdeeds, injectSidecarFaults } from "../sidecar-faults.ts";
import { checkBroadcastRequests } from "./check-orders.ts";
import { BroadcastClient } from "./clerk.ts";
import { strikePluginSite } from "./strikes.ts";

/** Events per second. */
const rate = 300;
const database = "faults_plugin";

/**
 * Runs a game with a plugin while the site's processes and its database are killed in turn. No
 * event may be lost or stored twice, and callers must get correct answers.
 * @returns true if no claim was violated
 */
export async function runPluginFaults(options: FaultOptions): Promise<boolean> {
  const { seed } = options;
  const history = historyOf(options);
  const ground = await DatabaseServer.start({ throwaway: false });
  return runFaultTest({ name: "plugin", seed, history, around: [ground] }, async (keep) => {
    const databaseUrl = await ground.createDatabase(database);
    const people = await preparePeople(databaseUrl, seed);
    const { links, adminId } = people;
    const service = keep(await startService({ databaseUrl, seed, rate, links, environment: {} }));
    const headers = await people.signIn(service.apis[0].url);
    const read: DatabaseReader = (text, values) => ground.query(database, text, values);
    const plugin = await linkPlugin(service, headers, read);
    try {
      await strikeAndCheck({
        ...options,
        history,
        ground,
        service,
        headers,
        adminId,
        read,
        plugin,
      });
    } finally {
      await plugin.stop();
    }
  });
}

/**
 * Links the shard to a plugin, as an administrator does. Starts the plugin in the simulated game.
 */
async function linkPlugin(
  { apis, simulatorUrl }: Service,
  headers: { readonly cookie: string },
  read: DatabaseReader,
): Promise<PluginAdapter> {
  const response = await fetch(`${apis[0].url}/api/v1/admin/shardlink/config`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ kind: "plugin", enabled: true }),
  });
  if (response.status !== 200) throw new Error(`linking answered ${await response.text()}`);
  const key = generateToken(pluginKeyPrefix);
  const insertion = "insert into plugin_keys (source, digest) values ('shard', $1)";
  await read(insertion, [hashToken(key)]);
  return new PluginAdapter({
    sidecar: {
      baseUrl: simulatorUrl,
      wsUrl: `${simulatorUrl.replace("http", "ws")}/v1/stream`,
      token: bridgeToken,
    },
    game: "uo",
    protocol: 8,
    url: apis.map(({ url }) => `${url}/api/v1/plugin`),
    key,
  });
}

interface Run extends FaultOptions {
  readonly history: History;
  readonly ground: DatabaseServer;
  readonly service: Service;
  readonly headers: { readonly cookie: string };
  readonly adminId: number;
  readonly read: DatabaseReader;
  readonly plugin: PluginAdapter;
}

async function strikeAndCheck(run: Run): Promise<void> {
  const { seed, short, history, ground, service, headers, adminId, read, plugin } = run;
  const random = createRandom(`plugin faults ${seed}`);
  const shard = new ShardSimulatorClient(service.simulatorUrl);
  const followers = createFollowers(run, random);
  for (const follower of followers) follower.start();
  const clerk = new BroadcastClient({ apis: service.apis, headers, random: random.fork("clerk") });
  clerk.start();
  const ending = new AbortController();
  const pause = { least: 2_000, most: 6_000 };
  const wrongdoer = { name: "game", shard, random: random.fork("game"), history, pause };
  const game = injectSidecarFaults(wrongdoer, gameFaults, ending.signal);
  const scene = { ground, service, read, plugin, random: random.fork("strikes"), history };
  await strikePluginSite(scene, { rounds: short ? 1 : 3 });
  ending.abort();
  await game;
  await shard.present();
  await shard.clearFaults();
  await clerk.stop();
  await checkEvents({ service, shard, followers, read, history }, rate);
  await checkBroadcastRequests(clerk.orders, adminId, { shard, history });
}

/** The faults of the game that affect a plugin: restarts, silence and dropped connections. */
const gameFaults = {
  restart: commonMisdeeds["restart"] ?? (() => undefined),
  silence: commonMisdeeds["silence"] ?? (() => undefined),
  drop: commonMisdeeds["drop"] ?? (() => undefined),
};

const away = { least: 50, most: 400 };

function createFollowers({ service, history, headers }: Run, random: RandomSource): Follower[] {
  const apis = service.apis.map(({ url }) => url);
  const shared = { apis, history, away };
  const browsers = ["browser 1", "browser 2"].map(
    (name) =>
      new Follower({ ...shared, name, random: random.fork(name), headers: {}, stream: "public" }),
  );
  const name = "admin";
  const admin = new Follower({
    ...shared,
    name,
    random: random.fork(name),
    headers,
    stream: "admin",
  });
  return [...browsers, admin];
}
