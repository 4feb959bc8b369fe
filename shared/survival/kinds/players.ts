import Joi from "joi";

import {
  count,
  field,
  flag,
  large,
  maybe,
  shape,
  text,
  words,
} from "../../bridge/payload-fields.ts";
import { anna, bert, coast, exampleSave, exampleTime, minuteMs } from "./example-world.ts";
import {
  accountOrNull,
  decimal,
  gameName,
  groundFields,
  instantMs,
  player,
  playerFields,
  playersWith,
} from "./fields.ts";
import { happening, standing } from "./kind.ts";
import { saveId } from "./world-fields.ts";

const connectedAt = field(
  instantMs(),
  "When the player connected, in epoch milliseconds. It identifies the connection.",
);
const session = { ...playerFields, connectedAt };
const sessionOfAnna = { ...anna, connectedAt: exampleTime - 42 * minuteMs };

/** What kills: only of players and NPCs it is known who they are. */
const killer = shape({
  kind: field(
    Joi.string<KillerKind>().valid("player", "npc", "animal", "entity", "self", "environment"),
    "What killed.",
  ),
  steamId: field(maybe(accountOrNull()), "Steam id, if it was a player."),
  name: field(maybe(gameName()), "Name of the player or the NPC."),
  profile: field(maybe(text(64)), "Key of the profile, if it was an NPC of the site."),
  prefab: field(maybe(text(256)), "Name of the prefab, such as `bear`."),
});

export type KillerKind = "player" | "npc" | "animal" | "entity" | "self" | "environment";

/** Who is there, what they do and say, and what they have done within a world. */
export const playerKinds = {
  "player.online": standing(
    shape({
      players: field(
        playersWith({ name: playerFields.name, connectedAt }),
        "All players who are connected.",
      ),
    }),
    {
      family: "players",
      about:
        "Who is on the server now. The list replaces the stored one. Send it after each start and " +
        "once a minute.",
      example: { players: [sessionOfAnna, { ...bert, connectedAt: exampleTime - minuteMs }] },
    },
  ),
  "player.joined": happening(
    "presence",
    shape({
      ...session,
      first: field(maybe(flag()), "Whether the player was never on the server before."),
    }),
    { about: "A player connected.", example: { ...sessionOfAnna, first: true } },
  ),
  "player.left": happening(
    "presence",
    shape({
      ...session,
      reason: field(maybe(words(256)), "Why, as the game tells it."),
      sessionSec: field(maybe(count()), "Seconds that the player was connected."),
    }),
    {
      about: "A player disconnected.",
      example: { ...sessionOfAnna, reason: "disconnected", sessionSec: 2_520 },
    },
  ),
  "player.respawned": happening(
    "presence",
    shape({
      ...playerFields,
      ...groundFields,
      bag: field(maybe(flag()), "Whether the player respawned at a sleeping bag or bed."),
    }),
    { about: "A player respawned.", example: { ...anna, ...coast, bag: true } },
  ),
  "player.died": happening(
    "presence",
    shape({
      victim: field(player(), "Player who died."),
      killer: field(killer, "What killed the player."),
      weapon: field(maybe(text(128)), "Short name of the weapon."),
      distance: field(maybe(decimal()), "Meters between the killer and the victim."),
      headshot: field(maybe(flag()), "Whether it was a shot in the head."),
      sleeping: field(maybe(flag()), "Whether the victim slept."),
      ...groundFields,
    }),
    {
      about: "A player died.",
      example: {
        victim: anna,
        killer: { kind: "player", ...bert },
        weapon: "rifle.ak",
        distance: 82.5,
        headshot: true,
        sleeping: false,
        ...coast,
      },
    },
  ),
  "player.chat": happening(
    "presence",
    // Of the other channels nothing leaves the game: a frame of one is refused.
    shape({
      ...playerFields,
      channel: field(
        Joi.string().valid("global"),
        "Channel of the chat. Send no event for team, clan, local or cards chat.",
      ),
      message: field(words(1_024), "What was said. The site keeps 1,024 characters."),
    }),
    {
      about: "A player wrote in the global chat.",
      example: { ...anna, channel: "global", message: "gg" },
    },
  ),
  "player.reported": happening(
    "staff",
    shape({
      reporter: field(player(), "Player who reported."),
      target: field(maybe(player()), "Player who was reported."),
      subject: field(maybe(words(256)), "Subject of the report."),
      message: field(maybe(words(2_000)), "Text of the report."),
      type: field(maybe(text(64)), "Type of the report, such as `cheat`."),
    }),
    {
      about: "A player reported somebody to the server's staff.",
      example: {
        reporter: anna,
        target: bert,
        subject: "cheating",
        message: "walks through walls",
        type: "cheat",
      },
    },
  ),
  "player.tally": standing(
    shape({
      saveId,
      tallies: field(
        playersWith({
          name: playerFields.name,
          stats: field(
            Joi.object<Readonly<Record<string, number>>>().pattern(Joi.string(), large()),
            "Figures of the player in this world, by name. Figures of other names are ignored.",
          ),
          playtimeSec: field(count(), "Seconds that the player was connected in this world."),
          afkSec: field(maybe(count()), "Seconds of them without any input."),
          staff: field(maybe(flag()), "Whether the player belongs to the staff."),
        }),
        "Players whose figures changed, or all of them.",
      ),
    }),
    {
      family: "tallies",
      about:
        "What players have done in a world up to now. Figures are totals and never fall. Send " +
        "those that changed once a minute, and all of them after a start.",
      example: {
        saveId: exampleSave,
        tallies: [
          {
            ...anna,
            stats: { playersKilled: 4, headshots: 1, woodGathered: 5_200 },
            playtimeSec: 7_400,
            afkSec: 300,
          },
        ],
      },
    },
  ),
  "link.minted": standing(
    shape({
      at: field(instantMs(), "When the code was made, in epoch milliseconds."),
      expiresAt: field(instantMs(), "When the code expires, in epoch milliseconds."),
      // An older plugin sends neither, and its codes link nothing.
      salt: field(
        maybe(Joi.string().pattern(/^[\w-]{16,64}$/)),
        "16 to 64 random letters, digits, `_` or `-`, others for each code.",
      ),
      hash: field(
        maybe(Joi.string().pattern(/^[\da-f]{64}$/)),
        "SHA-256 of `<salt>:<CODE>` in lower-case hexadecimal, the code in capitals. Without a " +
          "hash the code links nothing.",
      ),
    }),
    {
      about:
        "A player got a code in the game, which links the Steam account to a user of the site. " +
        "The code itself is not sent.",
      example: {
        at: exampleTime,
        expiresAt: exampleTime + 5 * minuteMs,
        salt: "u3Xb9QfLr0aTz7Kd",
        // Of the code 7QK4-XM2P.
        hash: "33b644abb162c67dc32293499397b7ece302ae8046b98401bc9e84a393d998de",
      },
      capability: "link",
    },
  ),
};
