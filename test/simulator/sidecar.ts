import { createControlPlane } from "./control/control-plane.ts";
import type { Effects } from "./control/effects.ts";
import { capabilitiesOf } from "./control/ground.ts";
import { findShardRoute } from "./control/routes.ts";
import { createFaults } from "./faults/faults.ts";
import type { Faults } from "./faults/faults.ts";
import { shardFaults } from "./faults/shard-faults.ts";
import { ActiveShardFaults } from "./faults/shard-standing.ts";
import { Game, pluginFacts, shardFacts } from "./game/game.ts";
import { createEventPacer } from "./game/pace.ts";
import type { EventPacer } from "./game/pace.ts";
import { createResync } from "./game/resync.ts";
import type { Resync } from "./game/resync.ts";
import { createSidecarBase } from "./ground.ts";
import type { HostFunctions } from "./ground.ts";
import type { HostedSidecar } from "./hosting.ts";
import type { Settings } from "./options.ts";
import type { ReceivedLog } from "./received.ts";
import { answerShardSim } from "./shard-sim-routes.ts";
import { createAssets } from "./sources/assets.ts";
import { createAtlas } from "./sources/atlas.ts";
import { createClilocs } from "./sources/clilocs.ts";
import type { EventBuffer } from "./stream/buffer.ts";
import { shardDialect } from "./stream/forms.ts";
import type { Journal } from "./stream/journal.ts";
import { SidecarEventStream } from "./stream/stream.ts";
import { createWorld, findAccount } from "./world/world.ts";
import type { ShardWorld } from "./world/world.ts";

/** The sidecar of a shard and its game. It does not listen on a port itself. */
export interface Sidecar extends HostedSidecar {
  readonly world: ShardWorld;
  readonly game: Game;
  readonly buffer: EventBuffer;
  readonly stream: SidecarEventStream;
  readonly received: ReceivedLog;
  readonly resync: Resync;
  readonly pace: EventPacer;
  readonly faults: Faults<typeof shardFaults>;
  readonly effects: Effects;
}

export function createSidecar(
  settings: Settings,
  journal: Journal,
  surroundings: HostFunctions,
): Sidecar {
  const standing = new ActiveShardFaults();
  const world = makeWorld(settings);
  const ground = createSidecarBase(settings, journal);
  const { buffer, received, effects } = ground;
  const game: Game = new Game({
    ...settings,
    ...ground,
    world,
    standing,
    onPlugin: (connected, bootId) => {
      if (bootId !== null) journal.write({ boot: bootId });
      stream.notice({ type: "plugin", connected, bootId });
    },
  });
  const hello = () => helloOf(settings, game);
  const path = `${settings.prefix}/v1/stream`;
  const heard = { buffer, standing, received, hello, dialect: shardDialect };
  const stream = new SidecarEventStream({ ...settings, ...heard, path });
  const resync = createResync({ game, standing, pauseMs: settings.snapshotPauseMs });
  const { seed, token, clock, protocol } = settings;
  const sources = {
    clilocs: createClilocs(seed, world.sizes.clilocs),
    assets: createAssets(seed, world.sizes),
    atlas: createAtlas(seed, world.sizes.regions, world.sizes.spawners),
  };
  const shard = { world, game, standing, resync, protocol, clock, ...sources };
  const control = createControlPlane({ ...ground, host: shard, findRoute: findShardRoute, token });
  const { assets } = sources;
  const scene = { world, game, buffer, stream, standing, assets, resync, ...surroundings };
  const faults = createFaults(shardFaults, scene);
  const pace = createEventPacer(game);
  const sidecar: Sidecar = {
    world,
    game,
    buffer,
    stream,
    received,
    resync,
    pace,
    faults,
    effects,
    control,
    sim: (request, response) => answerShardSim(sidecar, request, response),
    halt: () => {
      pace.stop();
      resync.stop();
    },
  };
  return sidecar;
}

function makeWorld({ seed, clock, world: sizes, signupMode, links }: Settings): ShardWorld {
  const world = createWorld({ seed, now: clock(), sizes });
  world.signupMode = signupMode;
  for (const { account: name, userId } of links) {
    const account = findAccount(world, name)?.name;
    if (account === undefined) throw new Error(`the world has no account ${name} to link`);
    world.links.set(account.toLowerCase(), { account, userId, linkedAt: clock() });
  }
  return world;
}

const helloOf = ({ protocol }: Settings, game: Game): object => ({
  bootId: game.bootId,
  pluginConnected: game.running,
  shard: shardFacts,
  plugin: pluginFacts,
  capabilities: capabilitiesOf(protocol),
  t: game.now(),
});
