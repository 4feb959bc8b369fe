import Joi from "joi";

import {
  count,
  field,
  flag,
  largeCount,
  listOf,
  logText,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { exampleSaveId, exampleTime, minuteMs } from "./example-world.ts";
import {
  decimal,
  instantMs,
  programMessage,
  saveId,
  mapSeedDescription,
  worldLevelDescription,
  worldSizeDescription,
} from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const version = field(nullish(text(64)), "Version of the software.");

const helper = objectSchema({
  id: field(text(64), "Purpose of the mod: `zones`, `kits`, `npcs`, `chat` or another word."),
  name: field(nullish(text(128)), "Name of the mod."),
  version,
  loaded: field(flag(), "Whether the game has loaded the mod."),
});

const framework = objectSchema({
  name: field(text(32), "Name of the mod loader: `oxide` or `carbon`."),
  version,
});

const game = objectSchema({
  version,
  protocolNetwork: field(nullish(count()), "Version of the game's network protocol."),
  protocolSave: field(nullish(count()), "Version of the game's save format."),
});

const world = objectSchema({
  level: field(nullish(text(256)), worldLevelDescription),
  seed: field(nullish(Joi.alternatives(text(32), largeCount())), mapSeedDescription),
  size: field(nullish(count()), worldSizeDescription),
  saveCreatedAt: field(
    instantMs(),
    "When the save of the world was created, in epoch milliseconds. This time is the id of the " +
      "world, called `saveId` elsewhere.",
  ),
  levelUrl: field(
    nullish(text(2_048)),
    "URL of a custom map that players download. Null if the map is not a custom map.",
  ),
});

/** States of the game process. */
export const serverStates = ["starting", "online", "saving", "restarting", "offline"] as const;

export const serverKinds = {
  "server.hello": defineState(
    objectSchema({
      serverName: field(text(256), "Name of the server."),
      framework: field(
        nullish(framework),
        "Mod loader of the game. Null if the game has no mod loader.",
      ),
      game: field(nullish(game), "Versions of the game."),
      plugin: field(nullish(objectSchema({ version })), "The plugin that sends this event."),
      npcApi: field(
        nullish(count()),
        "Version of the interface of the NPC mod. If it is lower than 4, the site sends no " +
          "profiles and placements.",
      ),
      startedAt: field(
        nullish(instantMs()),
        "When the game process started, in epoch milliseconds.",
      ),
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
          saveCreatedAt: exampleSaveId,
          levelUrl: null,
        },
        helpers: [{ id: "zones", name: "ZoneManager", version: "3.1.7", loaded: true }],
        capabilities: ["announce", "link", "map", "perm", "zones"],
      },
    },
  ),
  "server.status": defineState(
    objectSchema({
      state: field(
        Joi.string<(typeof serverStates)[number]>().valid(...serverStates),
        "State of the game process.",
      ),
      players: field(count(), "Number of players who are connected."),
      maxPlayers: field(count(), "Maximum number of players."),
      queued: field(nullish(count()), "Number of players who wait in the queue."),
      joining: field(nullish(count()), "Number of players who are connecting."),
      fps: field(nullish(decimal()), "Frames per second of the game server."),
      uptimeSec: field(nullish(count()), "Number of seconds since the game process started."),
      gameTime: field(nullish(decimal()), "Time of day in the game, in hours from 0 to 24."),
      entities: field(nullish(count()), "Number of entities in the world."),
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
  "world.ready": defineState(objectSchema({ saveId }), {
    about:
      "The game has generated or loaded the world. The site then sends the profiles and " +
      "placements of NPCs.",
    example: { saveId: exampleSaveId },
  }),
  "world.wiped": defineEvent(
    "public",
    objectSchema({
      saveId,
      previousSaveId: field(
        nullish(instantMs()),
        "Id of the previous world: the creation time of its save, in epoch milliseconds.",
      ),
      saveProtocol: field(nullish(count()), "Version of the save format of the new world."),
      previousProtocol: field(
        nullish(count()),
        "Version of the save format of the previous world.",
      ),
      blueprints: field(
        Joi.string<BlueprintState>().valid("kept", "wiped", "unknown"),
        "Whether players kept their blueprints or lost them (`wiped`).",
      ),
      level: field(nullish(text(256)), worldLevelDescription),
      seed: field(nullish(Joi.alternatives(text(32), largeCount())), mapSeedDescription),
      size: field(nullish(count()), worldSizeDescription),
    }),
    {
      about: "A new world began after a wipe.",
      example: {
        saveId: exampleSaveId,
        previousSaveId: exampleSaveId - 20_160 * minuteMs,
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
    objectSchema({
      name: field(text(128), "Name of the plugin."),
      errors: field(
        listOf(
          objectSchema({
            line: field(nullish(count()), "Line of the error in the source."),
            column: field(nullish(count()), "Column of the error in the source."),
            code: field(nullish(text(64)), "Code of the error, such as `CS1002`."),
            message: field(
              logText(2_000),
              "Text of the error. The site stores the first 2,000 characters.",
            ),
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

export type BlueprintState = "kept" | "wiped" | "unknown";

function pluginShape() {
  return objectSchema({
    name: field(text(128), "Name of the plugin."),
    title: field(nullish(text(256)), "Title of the plugin."),
    version,
    author: field(nullish(text(256)), "Author of the plugin."),
    helperId: field(
      nullish(text(64)),
      "Purpose of the plugin, as `id` in `helpers` of `server.hello`. Null if the plugin is not " +
        "a helper.",
    ),
    permissions: field(nullish(listOf(text(128))), "Permissions that the plugin registers."),
    reason: field(
      nullish(programMessage(500)),
      "Reason that the game reports. The site stores the first 500 characters.",
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
