import { createControlPlane } from "../control/control-plane.ts";
import type { Effects } from "../control/effects.ts";
import { createFaults } from "../faults/faults.ts";
import type { Faults } from "../faults/faults.ts";
import { createEventPacer } from "../game/pace.ts";
import type { EventPacer } from "../game/pace.ts";
import { createSidecarBase } from "../ground.ts";
import type { HostFunctions } from "../ground.ts";
import type { HostedSidecar } from "../hosting.ts";
import type { ReceivedLog } from "../received.ts";
import type { EventBuffer } from "../stream/buffer.ts";
import type { Journal } from "../stream/journal.ts";
import { SidecarEventStream } from "../stream/stream.ts";
import { findSurvivalRoute } from "./control/routes.ts";
import { createGameEffectCounter } from "./deeds.ts";
import type { GameEffects } from "./deeds.ts";
import { survivalDialect } from "./dialect.ts";
import { survivalFaults } from "./faults/catalogue.ts";
import { SurvivalFaults } from "./faults/standing.ts";
import { SurvivalGame } from "./game/game.ts";
import { createSurvivalResync } from "./game/resync.ts";
import { capabilities, gameVersion, pluginVersion } from "./game/states.ts";
import type { SurvivalSettings } from "./options.ts";
import { answerSurvivalSim } from "./sim-routes.ts";
import type { Tally } from "./world/stats.ts";
import { createSurvivalWorld } from "./world/world.ts";
import type { SurvivalWorld } from "./world/world.ts";

/** The sidecar of a survival server and its game. It does not listen on a port itself. */
export interface SurvivalSidecar extends HostedSidecar {
  readonly world: SurvivalWorld;
  readonly game: SurvivalGame;
  readonly buffer: EventBuffer;
  readonly stream: SidecarEventStream;
  readonly received: ReceivedLog;
  readonly pace: EventPacer;
  readonly faults: Faults<typeof survivalFaults>;
  readonly effects: Effects;
  readonly deeds: GameEffects;
}

/** The interval at which the plugin looks for timed work, in milliseconds. */
const tickMs = 250;

export function createSurvivalSidecar(
  settings: SurvivalSettings,
  journal: Journal,
  surroundings: HostFunctions,
): SurvivalSidecar {
  const standing = new SurvivalFaults();
  const world = makeWorld(settings, journal);
  const ground = createSidecarBase(settings, journal);
  const deeds = createGameEffectCounter(journal);
  const { buffer, received, effects } = ground;
  const game: SurvivalGame = new SurvivalGame({
    ...settings,
    ...ground,
    world,
    standing,
    deeds,
    later: surroundings.later,
    onSave: (save) => journal.write({ save }),
    onPlugin: (connected, bootId) => {
      if (bootId !== null) journal.write({ boot: bootId });
      stream.notice({ type: "plugin", connected, bootId });
    },
  });
  const stream = makeStream(settings, { ...ground, standing, game });
  const resync = createSurvivalResync(game);
  const { protocol, clock, token, reloadMs } = settings;
  const host = { world, game, standing, protocol, clock, resync, deeds, reloadMs };
  const control = createControlPlane({ ...ground, host, findRoute: findSurvivalRoute, token });
  const scene = { world, game, buffer, stream, standing, ...surroundings };
  const faults = createFaults(survivalFaults, scene);
  const pace = createEventPacer(game);
  const ticker = settings.ticking ? setInterval(() => game.tick(), tickMs) : undefined;
  const sidecar: SurvivalSidecar = {
    world,
    game,
    buffer,
    stream,
    received,
    pace,
    faults,
    effects,
    deeds,
    control,
    sim: (request, response) => answerSurvivalSim(sidecar, request, response),
    halt: () => {
      pace.stop();
      clearInterval(ticker);
    },
  };
  return sidecar;
}

/**
 * Creates the world. If an earlier process used the same file, its world is continued, because a
 * restart of the simulator is no wipe.
 */
function makeWorld(settings: SurvivalSettings, journal: Journal): SurvivalWorld {
  const { seed, clock, world: sizes, framework, serverName } = settings;
  const saved = journal.past.findLast((line) => "save" in line)?.save;
  const facts = { seed, now: clock(), sizes, framework, serverName };
  const goesOn = saved === undefined ? {} : { saveId: saved, tallies: toldTallies(saved, journal) };
  return createSurvivalWorld({ ...facts, ...goesOn });
}

/** Returns the last counters of each player that earlier processes reported for a save. */
function toldTallies(saveId: number, { past }: Journal): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const line of past) {
    if (!("event" in line) || line.event.kind !== "player.tally") continue;
    const told = line.event.payload as unknown as TalliesTold;
    if (told.saveId !== saveId) continue;
    for (const { steamId, stats, playtimeSec, afkSec } of told.tallies) {
      tallies.set(steamId, { stats: { ...stats }, playtimeSec, afkSec });
    }
  }
  return tallies;
}

interface TalliesTold {
  readonly saveId: number;
  readonly tallies: readonly (Tally & { readonly steamId: string })[];
}

interface Streamed {
  readonly buffer: EventBuffer;
  readonly received: ReceivedLog;
  readonly standing: SurvivalFaults;
  readonly game: SurvivalGame;
}

function makeStream(settings: SurvivalSettings, { buffer, received, standing, game }: Streamed) {
  return new SidecarEventStream({
    ...settings,
    path: `${settings.prefix}/v1/stream`,
    buffer,
    received,
    standing,
    dialect: survivalDialect,
    onLive: () => game.greet(),
    hello: () => ({
      bootId: game.bootId,
      pluginConnected: game.running,
      shard: { name: settings.serverName, version: gameVersion, expansion: null },
      plugin: { version: pluginVersion },
      capabilities: capabilities.filter((one) => !standing.incapable.includes(one)),
      t: game.now(),
    }),
  });
}
