import { createControlPlane } from "./control/control-plane.ts";
import { capabilitiesOf } from "./control/ground.ts";
import { createIdempotency } from "./control/idempotency.ts";
import { createFaults } from "./faults/faults.ts";
import type { Faults } from "./faults/faults.ts";
import { StandingFaults } from "./faults/standing.ts";
import { Game, pluginFacts, shardFacts } from "./game/game.ts";
import { createPace } from "./game/pace.ts";
import type { Pace } from "./game/pace.ts";
import { createResync } from "./game/resync.ts";
import type { Resync } from "./game/resync.ts";
import type { Settings } from "./options.ts";
import { createRandom } from "./random.ts";
import { nothingReceived } from "./received.ts";
import type { Received } from "./received.ts";
import { createAssets } from "./sources/assets.ts";
import { createAtlas } from "./sources/atlas.ts";
import { createClilocs } from "./sources/clilocs.ts";
import { EventBuffer } from "./stream/buffer.ts";
import type { Journal } from "./stream/journal.ts";
import { Stream } from "./stream/stream.ts";
import { createWorld, findAccount } from "./world/world.ts";
import type { World } from "./world/world.ts";

/** Everything of the sidecar and its game but the port it listens on. */
export interface Sidecar {
  readonly world: World;
  readonly game: Game;
  readonly buffer: EventBuffer;
  readonly stream: Stream;
  readonly received: Received;
  readonly resync: Resync;
  readonly pace: Pace;
  readonly faults: Faults;
  readonly control: ReturnType<typeof createControlPlane>;
}

/** What a fault needs of the process around the sidecar. */
export interface Surroundings {
  readonly vanish: (ms: number) => void;
  readonly later: (ms: number, run: () => void) => void;
}

export function createSidecar(
  settings: Settings,
  journal: Journal,
  surroundings: Surroundings,
): Sidecar {
  const standing = new StandingFaults();
  const received = nothingReceived();
  const world = makeWorld(settings);
  const buffer = makeBuffer(settings, journal);
  const game: Game = new Game({
    ...settings,
    world,
    buffer,
    standing,
    bootsBefore: journal.past.filter((line) => "boot" in line).length,
    newBootId: (boot) => createRandom(`${settings.incarnation}/boot/${boot}`).uuid(),
    onPlugin: (connected, bootId) => {
      if (bootId !== null) journal.write({ boot: bootId });
      stream.notice({ type: "plugin", connected, bootId });
    },
  });
  const hello = () => helloOf(settings, game);
  const path = `${settings.prefix}/v1/stream`;
  const stream = new Stream({ ...settings, path, buffer, standing, received, hello });
  const resync = createResync({ game, standing, pauseMs: settings.snapshotPauseMs });
  const { seed, token, clock, protocol } = settings;
  const sources = {
    clilocs: createClilocs(seed, world.sizes.clilocs),
    assets: createAssets(seed, world.sizes),
    atlas: createAtlas(seed, world.sizes.regions, world.sizes.spawners),
  };
  const shard = { world, game, standing, resync, protocol, clock, ...sources };
  const idempotency = createIdempotency(journal, clock);
  const control = createControlPlane({ shard, token, received, idempotency });
  const { assets } = sources;
  const scene = { world, game, buffer, stream, standing, assets, resync, ...surroundings };
  const faults = createFaults(scene);
  const pace = createPace(game);
  return { world, game, buffer, stream, received, resync, pace, faults, control };
}

function makeWorld({ seed, clock, world: sizes, signupMode, links }: Settings): World {
  const world = createWorld({ seed, now: clock(), sizes });
  world.signupMode = signupMode;
  for (const { account: name, userId } of links) {
    const account = findAccount(world, name)?.name;
    if (account === undefined) throw new Error(`the world has no account ${name} to link`);
    world.links.set(account.toLowerCase(), { account, userId, linkedAt: clock() });
  }
  return world;
}

/** Epochs are counted over all processes on a file, so that a recreated buffer is never an old one. */
function makeBuffer(settings: Settings, journal: Journal): EventBuffer {
  let epochs = journal.past.filter((line) => "epoch" in line).length;
  const newEpoch = (): string => createRandom(`${settings.incarnation}/epoch/${++epochs}`).uuid();
  const { clock, keepRows, keepMs, maxRows } = settings;
  return new EventBuffer({ newEpoch, clock, journal, keepRows, keepMs, maxRows });
}

const helloOf = ({ protocol }: Settings, game: Game): object => ({
  bootId: game.bootId,
  pluginConnected: game.running,
  shard: shardFacts,
  plugin: pluginFacts,
  capabilities: capabilitiesOf(protocol),
  t: game.now(),
});
