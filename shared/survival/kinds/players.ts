import Joi from "joi";

import {
  count,
  field,
  flag,
  largeCount,
  nullish,
  objectSchema,
  text,
  speechText,
} from "../../platform/bridge/payload-fields.ts";
import {
  playerAnna,
  playerBert,
  coastPosition,
  exampleSaveId,
  exampleTime,
  minuteMs,
} from "./example-world.ts";
import {
  accountOrNull,
  decimal,
  gameName,
  positionFields,
  instantMs,
  player,
  playerFields,
  playerListSchema,
  saveId,
} from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const connectedAt = field(
  instantMs(),
  "When the player connected, in epoch milliseconds. Together with `steamId`, this time " +
    "identifies the connection.",
);
const session = { ...playerFields, connectedAt };
const sessionOfAnna = { ...playerAnna, connectedAt: exampleTime - 42 * minuteMs };

/** Only players and NPCs have an id. */
const killer = objectSchema({
  kind: field(
    Joi.string<KillerKind>().valid("player", "npc", "animal", "entity", "self", "environment"),
    "Type of the killer.",
  ),
  steamId: field(
    nullish(accountOrNull()),
    "Steam id of the killer. Null if the killer was not a player.",
  ),
  name: field(nullish(gameName()), "Name of the player or the NPC."),
  profile: field(
    nullish(text(64)),
    "Key of the profile, if the killer was an NPC with a profile of the site.",
  ),
  prefab: field(nullish(text(256)), "Name of the killer's prefab in the game, such as `bear`."),
});

export type KillerKind = "player" | "npc" | "animal" | "entity" | "self" | "environment";

/** Kinds of frames about presence, actions, chat and statistics of players. */
export const playerKinds = {
  "player.online": defineState(
    objectSchema({
      players: field(
        playerListSchema({ name: playerFields.name, connectedAt }),
        "All players who are connected.",
      ),
    }),
    {
      family: "players",
      about:
        "Reports which players are on the server now. The list replaces the stored list. Send it " +
        "after each start and then once a minute.",
      example: { players: [sessionOfAnna, { ...playerBert, connectedAt: exampleTime - minuteMs }] },
    },
  ),
  "player.joined": defineEvent(
    "presence",
    objectSchema({
      ...session,
      first: field(nullish(flag()), "Whether the player is on the server for the first time."),
    }),
    { about: "A player connected.", example: { ...sessionOfAnna, first: true } },
  ),
  "player.left": defineEvent(
    "presence",
    objectSchema({
      ...session,
      reason: field(
        nullish(speechText(256)),
        "Reason that the game reports. The site stores the first 256 characters.",
      ),
      sessionSec: field(nullish(count()), "Number of seconds for which the player was connected."),
    }),
    {
      about: "A player disconnected.",
      example: { ...sessionOfAnna, reason: "disconnected", sessionSec: 2_520 },
    },
  ),
  "player.respawned": defineEvent(
    "presence",
    objectSchema({
      ...playerFields,
      ...positionFields,
      bag: field(nullish(flag()), "Whether the player respawned at a sleeping bag or bed."),
    }),
    { about: "A player respawned.", example: { ...playerAnna, ...coastPosition, bag: true } },
  ),
  "player.died": defineEvent(
    "presence",
    objectSchema({
      victim: field(player(), "Player who died."),
      killer: field(killer, "The killer: a player, an NPC, an animal or another cause."),
      weapon: field(
        nullish(text(128)),
        "Short name of the weapon in the game, such as `rifle.ak`.",
      ),
      distance: field(nullish(decimal()), "Distance between the killer and the victim, in meters."),
      headshot: field(nullish(flag()), "Whether a shot in the head killed the player."),
      sleeping: field(nullish(flag()), "Whether the victim was asleep."),
      ...positionFields,
    }),
    {
      about: "A player died.",
      example: {
        victim: playerAnna,
        killer: { kind: "player", ...playerBert },
        weapon: "rifle.ak",
        distance: 82.5,
        headshot: true,
        sleeping: false,
        ...coastPosition,
      },
    },
  ),
  "player.chat": defineEvent(
    "presence",
    // Accept global messages only, because messages of other channels must not leave the game.
    objectSchema({
      ...playerFields,
      channel: field(
        Joi.string().valid("global"),
        "Channel of the chat: always `global`. Send no event for the channels team, clan, local " +
          "and cards.",
      ),
      message: field(
        speechText(1_024),
        "Text of the message. The site stores the first 1,024 characters.",
      ),
    }),
    {
      about: "A player wrote in the global chat.",
      example: { ...playerAnna, channel: "global", message: "gg" },
    },
  ),
  "player.reported": defineEvent(
    "staff",
    objectSchema({
      reporter: field(player(), "Player who reported."),
      target: field(nullish(player()), "Player who was reported."),
      subject: field(
        nullish(speechText(256)),
        "Subject of the report. The site stores the first 256 characters.",
      ),
      message: field(
        nullish(speechText(2_000)),
        "Text of the report. The site stores the first 2,000 characters.",
      ),
      type: field(nullish(text(64)), "Type of the report, such as `cheat`."),
    }),
    {
      about: "A player sent a report about another player to the server's staff.",
      example: {
        reporter: playerAnna,
        target: playerBert,
        subject: "cheating",
        message: "walks through walls",
        type: "cheat",
      },
    },
  ),
  "player.tally": defineState(
    objectSchema({
      saveId,
      tallies: field(
        playerListSchema({
          name: playerFields.name,
          stats: field(
            Joi.object<Readonly<Record<string, number>>>().pattern(Joi.string(), largeCount()),
            "Statistics of the player in this world, by name. The names are listed at the " +
              "beginning of this section; the site ignores all others.",
          ),
          playtimeSec: field(count(), "Seconds for which the player was connected in this world."),
          afkSec: field(
            nullish(count()),
            "Number of these seconds during which the player made no input.",
          ),
          staff: field(nullish(flag()), "Whether the player belongs to the server's staff."),
        }),
        "Players whose statistics changed, or all players.",
      ),
    }),
    {
      family: "tallies",
      about:
        "Reports the statistics of players in a world. They are totals since the beginning of " +
        "the world, so they never decrease. Once a minute, send the players whose statistics " +
        "changed; after each start, send all players.",
      example: {
        saveId: exampleSaveId,
        tallies: [
          {
            ...playerAnna,
            stats: { playersKilled: 4, headshots: 1, woodGathered: 5_200 },
            playtimeSec: 7_400,
            afkSec: 300,
          },
        ],
      },
    },
  ),
  "link.minted": defineState(
    objectSchema({
      at: field(instantMs(), "When the code was created, in epoch milliseconds."),
      expiresAt: field(
        instantMs(),
        "When the code expires, in epoch milliseconds. The site accepts a code for at most ten " +
          "minutes.",
      ),
      // Older plugins send neither salt nor hash, so their codes cannot link an account.
      salt: field(
        nullish(Joi.string().pattern(/^[\w-]{16,64}$/)),
        "16 to 64 random letters, digits, `_` or `-`. Create a new salt for each code.",
      ),
      hash: field(
        nullish(Joi.string().pattern(/^[\da-f]{64}$/)),
        "SHA-256 of the text `<salt>:<CODE>`, in lower-case hexadecimal, where `<CODE>` is the " +
          "code in capital letters. The site refuses a code whose `salt` or `hash` is null.",
      ),
    }),
    {
      about:
        "The game created a link code for a player. The player enters the code on the site to " +
        "link the Steam account to a user of the site. The event does not contain the code " +
        "itself.",
      example: {
        at: exampleTime,
        expiresAt: exampleTime + 5 * minuteMs,
        salt: "u3Xb9QfLr0aTz7Kd",
        // The hash of the code `7QK4-XM2P`.
        hash: "33b644abb162c67dc32293499397b7ece302ae8046b98401bc9e84a393d998de",
      },
      capability: "link",
    },
  ),
};
