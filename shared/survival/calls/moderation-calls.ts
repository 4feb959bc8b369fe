import { declareCommand, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  field,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { instantMs, playerFields, steamId } from "../kinds/fields.ts";

/** Maximum length of the reason for a kick or ban. */
export const longestReason = 200;

/** The game reads a larger number as the ban's end time. */
export const longestBanSec = 315_360_000;

const player = field(steamId(), "Steam id of the player.");
const exampleId = "76561198000000001";

export const kickFromServer = declareCommand<object, { body: { steamId: string; reason: string } }>(
  {
    method: "POST",
    path: "/v1/players/kick",
    answer: objectSchema({}),
    docs: {
      about: "Disconnect a player. The player may connect again immediately.",
      body: objectSchema({
        steamId: player,
        reason: field(text(longestReason), "Reason, which the game shows to the player."),
      }),
      codes: ["NOT_FOUND"],
      example: { body: { steamId: exampleId, reason: "Language" }, answer: {} },
    },
  },
);

export const banFromServer = declareCommand<
  { readonly ownerSteamId?: string | null | undefined },
  { body: { steamId: string; reason: string; durationSec: number | null } }
>({
  method: "POST",
  path: "/v1/players/ban",
  answer: objectSchema({
    ownerSteamId: field(
      nullish(steamId()),
      "Steam id of the account that owns the game, if the player uses a shared game. Rust bans " +
        "this account, too. Null if the player owns the game.",
    ),
  }),
  docs: {
    about:
      "Ban a player, who may be offline, and disconnect the player. If the player is already " +
      "banned, refuse with `TAKEN` and leave the existing ban unchanged.",
    body: objectSchema({
      steamId: player,
      reason: field(text(longestReason), "Reason, which the game shows to the player."),
      durationSec: field(
        nullish(integer()),
        `Length of the ban in seconds, at most ${longestBanSec}. Null for a permanent ban.`,
      ),
    }),
    codes: ["TAKEN"],
    example: {
      body: { steamId: exampleId, reason: "Aimbot", durationSec: 86_400 },
      answer: { ownerSteamId: null },
    },
  },
});

export const unbanFromServer = declareCommand<object, { body: { steamId: string } }>({
  method: "POST",
  path: "/v1/players/unban",
  answer: objectSchema({}),
  docs: {
    about: "Lift the ban of a player. If the player is not banned, refuse with `NOT_FOUND`.",
    body: objectSchema({ steamId: player }),
    codes: ["NOT_FOUND"],
    example: { body: { steamId: exampleId }, answer: {} },
  },
});

const ban = objectSchema({
  ...playerFields,
  reason: field(text(), "Reason for the ban."),
  expiresAt: field(
    nullish(instantMs()),
    "When the ban ends, in epoch milliseconds. Null for a permanent ban.",
  ),
});

export const listServerBans = declareRead({
  method: "GET",
  path: "/v1/players/bans",
  answer: objectSchema({ bans: field(listOf(ban), "Bans in force.") }),
  docs: {
    about: "Return the bans that are in force on the game server.",
    example: {
      answer: {
        bans: [
          { steamId: exampleId, name: "Anna", reason: "Aimbot", expiresAt: 1_764_244_800_000 },
        ],
      },
    },
  },
});
