import Joi from "joi";

import { count, flag, large, maybe, shape, text, words } from "../../bridge/payload-fields.ts";
import {
  accountOrNull,
  decimal,
  gameName,
  groundFields,
  instantMs,
  player,
  playersWith,
  steamId,
} from "./fields.ts";
import { happening, standing } from "./kind.ts";

const named = { name: gameName(), connectedAt: instantMs() };
const session = { steamId: steamId(), ...named };

/** What kills: only of players and NPCs it is known who they are. */
const killer = shape({
  kind: Joi.string<KillerKind>().valid("player", "npc", "animal", "entity", "self", "environment"),
  steamId: maybe(accountOrNull()),
  name: maybe(gameName()),
  profile: maybe(text(64)),
  prefab: maybe(text(256)),
});

export type KillerKind = "player" | "npc" | "animal" | "entity" | "self" | "environment";

/** Who is there, what they do and say, and what they have done within a world. */
export const playerKinds = {
  "player.online": standing(shape({ players: playersWith(named) })),
  "player.joined": happening("presence", shape({ ...session, first: maybe(flag()) })),
  "player.left": happening(
    "presence",
    shape({ ...session, reason: maybe(words(256)), sessionSec: maybe(count()) }),
  ),
  "player.respawned": happening(
    "presence",
    shape({ steamId: steamId(), name: gameName(), ...groundFields, bag: maybe(flag()) }),
  ),
  "player.died": happening(
    "presence",
    shape({
      victim: player(),
      killer,
      weapon: maybe(text(128)),
      distance: maybe(decimal()),
      headshot: maybe(flag()),
      sleeping: maybe(flag()),
      ...groundFields,
    }),
  ),
  "player.chat": happening(
    "presence",
    // Of the other channels nothing leaves the game: a frame of one is refused.
    shape({
      steamId: steamId(),
      name: gameName(),
      channel: Joi.string().valid("global"),
      message: words(1_024),
    }),
  ),
  "player.reported": happening(
    "staff",
    shape({
      reporter: player(),
      target: maybe(player()),
      subject: maybe(words(256)),
      message: maybe(words(2_000)),
      type: maybe(text(64)),
    }),
  ),
  "player.tally": standing(
    shape({
      saveId: instantMs(),
      tallies: playersWith({
        name: gameName(),
        stats: Joi.object<Readonly<Record<string, number>>>().pattern(Joi.string(), large()),
        playtimeSec: count(),
        afkSec: maybe(count()),
        staff: maybe(flag()),
      }),
    }),
  ),
  "link.minted": standing(
    shape({
      at: instantMs(),
      expiresAt: instantMs(),
      // An older plugin sends neither, and its codes link nothing.
      salt: maybe(Joi.string().pattern(/^[\w-]{16,64}$/)),
      hash: maybe(Joi.string().pattern(/^[\da-f]{64}$/)),
    }),
  ),
};
