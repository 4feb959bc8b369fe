import Joi from "joi";

import {
  count,
  field,
  flag,
  largeCount,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { playerAnna, exampleSaveId, exampleTime, minuteMs } from "./example-world.ts";
import {
  accountOrNull,
  accountListField,
  decimal,
  gameId,
  gameName,
  instantMs,
  playerListSchema,
  saveId,
  mapSeedDescription,
  worldLevelDescription,
} from "./fields.ts";
import { defineState } from "./kind.ts";

const position = {
  x: field(decimal(), "Meters east of the middle of the map; negative to the west."),
  z: field(decimal(), "Meters north of the middle of the map; negative to the south."),
};
const place = {
  ...position,
  rotation: field(nullish(decimal()), "Direction in which the object faces, in degrees."),
};

const monument = objectSchema({
  label: field(
    text(128),
    "Label of the monument. In calls, the site identifies the monument by it.",
  ),
  name: field(nullish(text(128)), "Name of the monument in the game."),
  ...position,
});

const event = objectSchema({
  id: field(gameId(64), "Id of the object in the game."),
  type: field(
    text(64),
    "Type of the object, such as `cargoShip`, `patrolHelicopter` or `lockedCrate`.",
  ),
  ...place,
  label: field(nullish(text(128)), "Text that the map shows for the object."),
  since: field(nullish(instantMs()), "When the object appeared, in epoch milliseconds."),
});

const base = objectSchema({
  id: field(gameId(64), "Id of the tool cupboard in the game."),
  ...position,
  owner: field(nullish(accountOrNull()), "Steam id of the player who placed the tool cupboard."),
  auth: field(
    nullish(accountListField()),
    "Steam ids of the players who are authorized at the tool cupboard.",
  ),
  protectedUntil: field(
    nullish(instantMs()),
    "When the stored upkeep of the base will be used up, in epoch milliseconds.",
  ),
});

export const mapKinds = {
  "map.info": defineState(
    objectSchema({
      saveId,
      worldSize: field(count(), "Width of the map in meters."),
      seed: field(nullish(Joi.alternatives(text(32), largeCount())), mapSeedDescription),
      level: field(nullish(text(256)), worldLevelDescription),
      imageHash: field(
        nullish(Joi.string().pattern(/^[\da-f]{64}$/)),
        "SHA-256 of the map image's bytes, in hexadecimal. If the site does not have this image, " +
          "it fetches the image with `POST /v1/map/fetch`. Null if there is no image.",
      ),
      width: field(nullish(count()), "Width of the map image in pixels."),
      height: field(nullish(count()), "Height of the map image in pixels."),
      oceanMargin: field(
        nullish(count()),
        "Width of the ocean on each side of the map image, in pixels.",
      ),
      background: field(
        nullish(text(32)),
        "Color of the ocean in the map image, such as `#12404d`.",
      ),
      monuments: field(listOf(monument), "Monuments of the map."),
    }),
    {
      family: "map",
      about:
        "Describes the map. Send it as soon as the world is ready, and each time that there is a " +
        "new map image.",
      example: {
        saveId: exampleSaveId,
        worldSize: 4_250,
        seed: "1337",
        level: "Procedural Map",
        imageHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        width: 2_625,
        height: 2_625,
        oceanMargin: 250,
        background: "#12404d",
        monuments: [{ label: "The Dome", name: "dome_monument_name", x: 620, z: -210.5 }],
      },
      capability: "map",
    },
  ),
  "map.live": defineState(
    objectSchema({
      at: field(instantMs(), "Time of the positions, in epoch milliseconds."),
      gameTime: field(nullish(decimal()), "Time of day in the game, in hours from 0 to 24."),
      events: field(
        listOf(event),
        "Objects that appear and move on the map, such as a cargo ship.",
      ),
      players: field(
        playerListSchema({
          name: field(gameName(), "Name of the player."),
          ...place,
          health: field(nullish(decimal()), "Health of the player, in hit points."),
          clan: field(nullish(text(128)), "Name of the player's clan."),
          sleeping: field(nullish(flag()), "Whether the player sleeps."),
          dead: field(nullish(flag()), "Whether the player is dead."),
        }),
        "Players in the world, with their positions.",
      ),
      bases: field(listOf(base), "Bases, each identified by its tool cupboard."),
    }),
    {
      about:
        "Reports the current positions of objects, players and bases. Send it at most every five " +
        "seconds. The site does not store positions.",
      example: {
        at: exampleTime,
        gameTime: 13.5,
        events: [
          {
            id: "cargo-1",
            type: "cargoShip",
            x: 2_100,
            z: -350,
            rotation: 90,
            label: "Cargo Ship",
            since: exampleTime - 10 * minuteMs,
          },
        ],
        players: [
          {
            ...playerAnna,
            x: 812.5,
            z: -1_204,
            rotation: 45,
            health: 87.5,
            clan: "Wolves",
            sleeping: false,
            dead: false,
          },
        ],
        bases: [
          {
            id: "8261",
            x: 790,
            z: -1_190,
            owner: playerAnna.steamId,
            auth: [playerAnna.steamId],
            protectedUntil: exampleTime + 1_440 * minuteMs,
          },
        ],
      },
      capability: "map",
    },
  ),
};
