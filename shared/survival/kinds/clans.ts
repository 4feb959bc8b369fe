import {
  count,
  field,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
  speechText,
} from "../../platform/bridge/payload-fields.ts";
import { anna, bert, exampleTime, minuteMs } from "./example-world.ts";
import { bigId, gameName, instantMs, player, playersWith } from "./fields.ts";
import { defineEvent, defineState } from "./kind.ts";

const clanId = field(bigId(), "Id of the clan in the game.");
const created = field(
  bigId(),
  "When the clan was founded, as a number of the game. The site identifies a clan by `clanId` " +
    "and `created` together, because the game uses the same ids again after its database was " +
    "created anew.",
);
const name = field(gameName(), "Name of the clan.");

/** A new game database reuses clan ids, so the identity includes the creation time. */
const clan = { clanId, created, name };

const change = shape({
  ...clan,
  actor: field(maybe(player()), "Player who caused the change. Null if unknown."),
  member: field(
    maybe(player()),
    "Player who joined, left or was removed. Null if the event does not concern a single member.",
  ),
  field: field(
    maybe(text(64)),
    "Name of the changed field, such as `motd`. Null for other changes.",
  ),
});

const wolves = { clanId: "14", created: "638997120000000000", name: "Wolves" };

export const clanKinds = {
  "clan.board": defineState(
    shape({
      at: field(instantMs(), "When the leaderboard was read, in epoch milliseconds."),
      clans: field(
        listOf(
          shape({
            ...clan,
            score: field(bigId(), "Score of the clan."),
            color: field(
              maybe(integer()),
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
    shape({
      clanId,
      created,
      motd: field(
        maybe(speechText(2_000)),
        "Message of the day of the clan. The site keeps 2,000 characters.",
      ),
      roles: field(
        listOf(
          shape({
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
        playersWith({
          name: field(gameName(), "Name of the player."),
          roleId: field(count(), "Id of the member's role."),
          joinedAt: field(
            maybe(instantMs()),
            "When the player joined the clan, in epoch milliseconds.",
          ),
          lastSeenAt: field(
            maybe(instantMs()),
            "When the player was last on the server, in epoch milliseconds.",
          ),
          online: field(maybe(flag()), "Whether the player is on the server now."),
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
            ...anna,
            roleId: 1,
            joinedAt: exampleTime - 600 * minuteMs,
            lastSeenAt: exampleTime,
            online: true,
          },
          {
            ...bert,
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
    example: { ...wolves, actor: anna },
  }),
  "clan.disbanded": defineEvent("staff", change, {
    about: "A clan no longer exists.",
    example: { ...wolves, actor: anna },
  }),
  "clan.member.added": defineEvent("staff", change, {
    about: "A player joined a clan.",
    example: { ...wolves, actor: anna, member: bert },
  }),
  "clan.member.left": defineEvent("staff", change, {
    about: "A player left a clan.",
    example: { ...wolves, member: bert },
  }),
  "clan.member.kicked": defineEvent("staff", change, {
    about: "A member of a clan removed another player from it.",
    example: { ...wolves, actor: anna, member: bert },
  }),
  "clan.changed": defineEvent("staff", change, {
    about: "A clan's name, color or message of the day changed.",
    example: { ...wolves, actor: anna, field: "motd" },
  }),
};
