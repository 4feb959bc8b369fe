import {
  count,
  field,
  flag,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
  speechText,
} from "../../platform/bridge/payload-fields.ts";
import { playerAnna, playerBert, exampleTime, minuteMs } from "./example-world.ts";
import { int64Field, gameName, instantMs, player, playerListSchema } from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const clanId = field(int64Field(), "Id of the clan in the game.");
const created = field(
  int64Field(),
  "Time at which the clan was founded, in the unit of the game. The site identifies a clan by " +
    "`clanId` and `created` together, because the game uses the same ids again after its " +
    "database was created anew.",
);
const name = field(gameName(), "Name of the clan.");

/** A new game database reuses clan ids, so the identity includes the creation time. */
const clan = { clanId, created, name };

const change = objectSchema({
  ...clan,
  actor: field(nullish(player()), "Player who caused the change. Null if unknown."),
  member: field(
    nullish(player()),
    "Player who joined, left or was removed. Null if the event does not concern a single member.",
  ),
  field: field(
    nullish(text(64)),
    "Name of the changed field, such as `motd`. Null for other changes.",
  ),
});

const wolves = { clanId: "14", created: "638997120000000000", name: "Wolves" };

export const clanKinds = {
  "clan.board": defineState(
    objectSchema({
      at: field(instantMs(), "When the leaderboard was read, in epoch milliseconds."),
      clans: field(
        listOf(
          objectSchema({
            ...clan,
            score: field(int64Field(), "Score of the clan."),
            color: field(
              nullish(integer()),
              "Color of the clan: a 32-bit integer whose lowest 24 bits are the red, green and " +
                "blue values.",
            ),
            members: field(count(), "Number of members."),
          }),
        ),
        "Clans of the leaderboard, best clan first. If there are fewer clans than `limit`, the " +
          "site regards all other clans as disbanded.",
      ),
      limit: field(
        count(),
        "Maximum number of clans on the leaderboard. The site treats a number above 100 as 100.",
      ),
    }),
    {
      family: "clans",
      about:
        "Reports the game's current leaderboard of clans. The site ignores it if `at` is not " +
        "later than in the last leaderboard.",
      example: {
        at: exampleTime,
        clans: [{ ...wolves, score: "4210", color: -1, members: 2 }],
        limit: 100,
      },
    },
  ),
  "clan.roster": defineState(
    objectSchema({
      clanId,
      created,
      motd: field(
        nullish(speechText(2_000)),
        "Message of the day of the clan. The site stores the first 2,000 characters.",
      ),
      roles: field(
        listOf(
          objectSchema({
            roleId: field(count(), "Id of the role in the clan."),
            rank: field(
              integer(),
              "Rank of the role. The role with the lowest number leads the clan.",
            ),
            name: field(text(128), "Name of the role."),
          }).unknown(),
        ),
        "Roles of the clan.",
      ),
      members: field(
        playerListSchema({
          name: field(gameName(), "Name of the player."),
          roleId: field(count(), "Id of the member's role."),
          joinedAt: field(
            nullish(instantMs()),
            "When the player joined the clan, in epoch milliseconds.",
          ),
          lastSeenAt: field(
            nullish(instantMs()),
            "When the player was last on the server, in epoch milliseconds.",
          ),
          online: field(nullish(flag()), "Whether the player is on the server now."),
        }),
        "All members of the clan.",
      ),
    }),
    {
      family: "clans",
      about: "Reports the current members and roles of a clan. Send it when a clan changes.",
      example: {
        clanId: wolves.clanId,
        created: wolves.created,
        motd: "Raid at nine.",
        roles: [
          { roleId: 1, rank: 1, name: "Leader" },
          { roleId: 2, rank: 10, name: "Member" },
        ],
        members: [
          {
            ...playerAnna,
            roleId: 1,
            joinedAt: exampleTime - 600 * minuteMs,
            lastSeenAt: exampleTime,
            online: true,
          },
          {
            ...playerBert,
            roleId: 2,
            joinedAt: exampleTime - 90 * minuteMs,
            lastSeenAt: exampleTime - 30 * minuteMs,
            online: false,
          },
        ],
      },
    },
  ),
  "clan.created": defineEvent("staff", change, {
    about: "A clan was founded.",
    example: { ...wolves, actor: playerAnna },
  }),
  "clan.disbanded": defineEvent("staff", change, {
    about: "A clan no longer exists.",
    example: { ...wolves, actor: playerAnna },
  }),
  "clan.member.added": defineEvent("staff", change, {
    about: "A player joined a clan.",
    example: { ...wolves, actor: playerAnna, member: playerBert },
  }),
  "clan.member.left": defineEvent("staff", change, {
    about: "A player left a clan.",
    example: { ...wolves, member: playerBert },
  }),
  "clan.member.kicked": defineEvent("staff", change, {
    about: "A member of a clan removed another player from it.",
    example: { ...wolves, actor: playerAnna, member: playerBert },
  }),
  "clan.changed": defineEvent("staff", change, {
    about: "A clan's name, color or message of the day changed.",
    example: { ...wolves, actor: playerAnna, field: "motd" },
  }),
};
