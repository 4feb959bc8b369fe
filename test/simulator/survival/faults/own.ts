import { FaultError, faultOf, requireKnownOption, timesOf } from "../../faults/fault.ts";
import type { SidecarFaultTarget } from "../../faults/fault.ts";
import type { SurvivalGame } from "../game/game.ts";
import { sendChatMessage } from "../game/players.ts";
import { capabilities, mapInfo, buildPluginEntry } from "../game/states.ts";
import { olderSave } from "../game/wipes.ts";
import { groupOf, holderOf } from "../world/permissions.ts";
import { helperMods } from "../world/plugins.ts";
import { onlinePlayers } from "../world/world.ts";
import type { SurvivalWorld } from "../world/world.ts";
import { outcomeModes } from "./standing.ts";
import type { SurvivalFaults } from "./standing.ts";

/** The parts of a survival server that faults change. */
export interface SurvivalFaultTarget extends SidecarFaultTarget {
  readonly world: SurvivalWorld;
  readonly game: SurvivalGame;
  readonly standing: SurvivalFaults;
}

const fault = faultOf<SurvivalFaultTarget>();

/** The groups that each plugin loader creates by itself. */
const builtIn = new Set(["default", "admin", "moderator"]);

function driftNodes({ permissions }: { readonly permissions: Set<string> }): void {
  const [first] = permissions;
  if (first !== undefined) permissions.delete(first);
  permissions.add("vanish.allow");
}

/** CATALOGUE of the faults that only a survival server has. */
export const ownFaults = {
  /** Boots with an older save. With `saveId` 0, creates a save that is older than all others. */
  olderSave: fault({ saveId: 0 }, ({ game, world }, { saveId }) => {
    const save = saveId === 0 ? olderSave(world) : world.saves.get(saveId);
    if (save === undefined) throw new FaultError(`saveId must be one of a save that was`);
    game.load(save);
  }),

  wipe: fault({ blueprints: "unknown", forced: false }, ({ game }, { blueprints, forced }) =>
    game.wipe({
      blueprints: requireKnownOption("blueprints", blueprints, ["kept", "wiped", "unknown"]),
      forced,
    }),
  ),

  /**
   * Makes the outcomes of the next configuration writes come `ms` late (`late`), be failures
   * (`failed`) or be absent (`missing`).
   */
  configOutcome: fault(
    { mode: "late", ms: 1_000, times: 1 },
    ({ standing }, { mode, ms, times }) => {
      standing.outcomes = {
        mode: requireKnownOption("mode", mode, outcomeModes),
        ms,
        left: timesOf(times),
      };
    },
  ),

  /** Changes the version of the NPC plugin. Versions below 4 have no profiles and placements. */
  npcApi: fault({ version: 3 }, ({ world, game }, { version }) => {
    world.npcApi = version;
    if (game.running) game.emit("server.hello", game.helloFacts());
  }),

  helperMissing: fault({ helper: "zones" }, ({ world, game }, { helper }) => {
    const id = requireKnownOption("helper", helper, Object.keys(helperMods));
    for (const plugin of world.plugins.values()) {
      if (plugin.helperId !== id || !plugin.loaded) continue;
      plugin.loaded = false;
      if (game.running) {
        game.emit("plugin.unloaded", { ...buildPluginEntry(plugin), reason: "crash" });
      }
    }
    if (game.running) game.emit("server.hello", game.helloFacts());
  }),

  /** Makes the bridge plugin behave like an older version without these capabilities. */
  incapable: fault({ capabilities: ["map"] }, ({ standing, game }, { capabilities: without }) => {
    standing.incapable = without.map((one) =>
      requireKnownOption("capabilities", one, capabilities),
    );
    if (game.running) game.emit("server.hello", game.helloFacts());
  }),

  /** Changes permissions without the plugin's knowledge: some are added, others removed. */
  driftInventory: fault({ count: 2 }, ({ world: { permissions, players } }, { count }) => {
    for (const { steamId } of [...players.values()].slice(0, count)) {
      const holder = holderOf(permissions, steamId);
      driftNodes(holder);
      const joined = [...holder.groups].find((name) => !builtIn.has(name));
      if (joined !== undefined) holder.groups.delete(joined);
    }
    for (const group of permissions.groups.values()) {
      if (!builtIn.has(group.name)) driftNodes(group);
    }
    groupOf(permissions, "byhand");
  }),

  tornInventory: fault({ times: 1 }, ({ standing }, { times }) => {
    standing.tornInventories = timesOf(times);
  }),

  /** Sends messages of a private chat. */
  teamChat: fault({ count: 1, channel: "team" }, ({ world, game }, { count, channel }) => {
    const where = requireKnownOption("channel", channel, ["team", "local", "clan"]);
    const [player] = onlinePlayers(world);
    if (player === undefined) throw new FaultError("nobody is online");
    for (let said = 0; said < count; said++) {
      sendChatMessage(game.scene(), player, "canary-secret", where);
    }
  }),

  /** Makes the next map pictures differ from their hash. */
  badMap: fault({ times: 1 }, ({ standing }, { times }) => {
    standing.badImages = timesOf(times);
  }),

  noImage: fault({}, ({ world, game }) => {
    world.save.image = null;
    if (game.running) game.emit("map.info", mapInfo(world));
  }),

  /** Disconnects players without an event. */
  ghost: fault({ count: 1 }, ({ world }, { count }) => {
    for (const player of onlinePlayers(world).slice(0, count)) player.connectedAt = null;
  }),
};
