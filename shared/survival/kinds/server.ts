import Joi from "joi";

import {
  count,
  field,
  flag,
  large,
  listOf,
  logText,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { exampleSave, exampleTime, minuteMs } from "./example-world.ts";
import {
  decimal,
  instantMs,
  programMessage,
  saveId,
  seed,
  worldLevel,
  worldSize,
} from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const version = field(maybe(text(64)), "Version of the software.");

const helper = shape({
  id: field(text(64), "Purpose of the mod: `zones`, `kits`, `npcs`, `chat` or another word."),
  name: field(maybe(text(128)), "Name of the mod."),
  version,
  loaded: field(flag(), "Whether the game has loaded the mod."),
});

const framework = shape({
  name: field(text(32), "Name of the mod loader: `oxide` or `carbon`."),
  version,
});

const game = shape({
  version,
  protocolNetwork: field(maybe(count()), "Version of the game's network protocol."),
  protocolSave: field(maybe(count()), "Version of the game's save format."),
});

const world = shape({
  level: field(maybe(text(256)), worldLevel),
  seed: field(maybe(Joi.alternatives(text(32), large())), seed),
  size: field(maybe(count()), worldSize),
  saveCreatedAt: field(
    instantMs(),
    "When the save of the world was created, in epoch milliseconds. This time is the id of the " +
      "world, called `saveId` elsewhere.",
  ),
  levelUrl: field(
    maybe(text(2_048)),
    "URL of a custom map that players download. Null if there is none.",
  ),
});

/** States of the game process. */
export const serverStates = ["starting", "online", "saving", "restarting", "offline"] as const;

export const serverKinds = {
  "server.hello": defineState(
    shape({
      serverName: field(text(256), "Name of the server."),
      framework: field(maybe(framework), "Mod loader of the game. Null if there is none."),
      game: field(maybe(game), "Versions of the game."),
      plugin: field(maybe(shape({ version })), "The plugin that sends this event."),
      npcApi: field(
        maybe(count()),
        "Version of the interface of the NPC mod. If it is lower than 4, the site sends no " +
          "profiles and placements.",
      ),
      startedAt: field(maybe(instantMs()), "When the game process started, in epoch milliseconds."),
      worldReady: field(flag(), "Whether the game has generated or loaded the world."),
      world: field(world, "The current world."),
      helpers: field(listOf(helper), "Optional mods that the plugin can use."),
      capabilities: field(
        listOf(text(64)),
        "Capabilities of the plugin. The site makes no call whose capability is not in this list.",
      ),
    }),
    {
      family: "server",
      about:
        "Describes the game server. Send it after each start, before all other events, and when " +
        "the site asks for the family `server`.",
      example: {
        serverName: "Emberfall",
        framework: { name: "oxide", version: "2.0.6511" },
        game: { version: "2600.287.1", protocolNetwork: 2_600, protocolSave: 287 },
        plugin: { version: "1.6.0" },
        npcApi: 4,
        startedAt: exampleTime - 60 * minuteMs,
        worldReady: true,
        world: {
          level: "Procedural Map",
          seed: "1337",
          size: 4_250,
          saveCreatedAt: exampleSave,
          levelUrl: null,
        },
        helpers: [{ id: "zones", name: "ZoneManager", version: "3.1.7", loaded: true }],
        capabilities: ["announce", "link", "map", "perm", "zones"],
      },
    },
  ),
  "server.status": defineState(
    shape({
      state: field(
        Joi.string<(typeof serverStates)[number]>().valid(...serverStates),
        "State of the game process.",
      ),
      players: field(count(), "Number of players who are connected."),
      maxPlayers: field(count(), "Maximum number of players."),
      queued: field(maybe(count()), "Number of players who wait in the queue."),
      joining: field(maybe(count()), "Number of players who are connecting."),
      fps: field(maybe(decimal()), "Frames per second of the game server."),
      uptimeSec: field(maybe(count()), "Number of seconds since the game process started."),
      gameTime: field(maybe(decimal()), "Time of day in the game, in hours from 0 to 24."),
      entities: field(maybe(count()), "Number of entities in the world."),
    }),
    {
      family: "server",
      about: "Reports the state and figures of the game server. Send it every 15 seconds.",
      example: {
        state: "online",
        players: 2,
        maxPlayers: 100,
        queued: 0,
        joining: 0,
        fps: 59,
        uptimeSec: 3_600,
        gameTime: 13.5,
        entities: 40_128,
      },
    },
  ),
  "world.ready": defineState(shape({ saveId }), {
    about:
      "The game has generated or loaded the world. The site then sends the profiles and " +
      "placements of NPCs.",
    example: { saveId: exampleSave },
  }),
  "world.wiped": defineEvent(
    "public",
    shape({
      saveId,
      previousSaveId: field(
        maybe(instantMs()),
        "Id of the previous world: the creation time of its save, in epoch milliseconds.",
      ),
      saveProtocol: field(maybe(count()), "Version of the save format of the new world."),
      previousProtocol: field(maybe(count()), "Version of the save format of the previous world."),
      blueprints: field(
        Joi.string<Blueprints>().valid("kept", "wiped", "unknown"),
        "Whether players kept their blueprints or lost them (`wiped`).",
      ),
      level: field(maybe(text(256)), worldLevel),
      seed: field(maybe(Joi.alternatives(text(32), large())), seed),
      size: field(maybe(count()), worldSize),
    }),
    {
      about: "A new world began after a wipe.",
      example: {
        saveId: exampleSave,
        previousSaveId: exampleSave - 20_160 * minuteMs,
        saveProtocol: 287,
        previousProtocol: 287,
        blueprints: "kept",
        level: "Procedural Map",
        seed: "1337",
        size: 4_250,
      },
    },
  ),
  "plugin.loaded": defineEvent("staff", pluginShape(), {
    about: "The game loaded a plugin.",
    example: kits(),
  }),
  "plugin.unloaded": defineEvent("staff", pluginShape(), {
    about: "The game unloaded a plugin.",
    example: { ...kits(), reason: "removed by an administrator" },
  }),
  "plugin.failed": defineEvent(
    "staff",
    shape({
      name: field(text(128), "Name of the plugin."),
      errors: field(
        listOf(
          shape({
            line: field(maybe(count()), "Line of the error in the source."),
            column: field(maybe(count()), "Column of the error in the source."),
            code: field(maybe(text(64)), "Code of the error, such as `CS1002`."),
            message: field(logText(2_000), "Text of the error. The site keeps 2,000 characters."),
          }),
        ),
        "Errors that the compiler or the mod loader reported.",
      ),
    }),
    {
      about: "The game could not load a plugin.",
      example: {
        name: "Kits",
        errors: [{ line: 212, column: 17, code: "CS1002", message: "; expected" }],
      },
    },
  ),
};

export type Blueprints = "kept" | "wiped" | "unknown";

function pluginShape() {
  return shape({
    name: field(text(128), "Name of the plugin."),
    title: field(maybe(text(256)), "Title of the plugin."),
    version,
    author: field(maybe(text(256)), "Author of the plugin."),
    helperId: field(
      maybe(text(64)),
      "Purpose of the plugin, as `id` in `helpers` of `server.hello`. Null if it is not a helper.",
    ),
    permissions: field(maybe(listOf(text(128))), "Permissions that the plugin registers."),
    reason: field(
      maybe(programMessage(500)),
      "Reason that the game reports. The site keeps 500 characters.",
    ),
  });
}

function kits() {
  return {
    name: "Kits",
    title: "Kits",
    version: "4.0.12",
    author: "k1lly0u",
    helperId: "kits",
    permissions: ["kits.admin", "kits.vip"],
  };
}
