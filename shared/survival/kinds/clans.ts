import {
  count,
  field,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
  words,
} from "../../bridge/payload-fields.ts";
import { anna, bert, exampleTime, minuteMs } from "./example-world.ts";
import { bigId, gameName, instantMs, player, playersWith } from "./fields.ts";
import { happening, standing } from "./kind.ts";

const clanId = field(bigId(), "Id of the clan in the game.");
const created = field(
  bigId(),
  "When the clan was founded, as the game tells it. The game gives an id again in a new database, " +
    "so the site identifies a clan by both.",
);
const name = field(gameName(), "Name of the clan.");

/** A clan's id is given out again in a new database of the game; with its time it is one clan. */
const clan = { clanId, created, name };

const change = shape({
  ...clan,
  actor: field(maybe(player()), "Player who did it."),
  member: field(maybe(player()), "Player whom it concerns."),
  field: field(maybe(text(64)), "Name of the field that changed, such as `motd`."),
});

const wolves = { clanId: "14", created: "638997120000000000", name: "Wolves" };

/** Clans as the game itself keeps them. */
export const clanKinds = {
  "clan.board": standing(
    shape({
      at: field(instantMs(), "When the board was read, in epoch milliseconds."),
      clans: field(
        listOf(
          shape({
            ...clan,
            score: field(bigId(), "Score of the clan."),
            color: field(maybe(integer()), "Color of the clan as the game's number."),
            members: field(count(), "Number of members."),
          }),
        ),
        "Clans of the leaderboard, best first.",
      ),
      limit: field(count(), "Largest number of clans that the game tells."),
    }),
    {
      family: "clans",
      about: "The game's leaderboard of clans now. A board that is older than the last is ignored.",
      example: {
        at: exampleTime,
        clans: [{ ...wolves, score: "4210", color: -1, members: 2 }],
        limit: 100,
      },
    },
  ),
  "clan.roster": standing(
    shape({
      clanId,
      created,
      motd: field(maybe(words(2_000)), "The clan's message of the day."),
      roles: field(
        listOf(
          shape({
            roleId: field(count(), "Id of the role in the clan."),
            rank: field(integer(), "Rank of the role; the lowest number leads the clan."),
            name: field(text(128), "Name of the role."),
          }).unknown(),
        ),
        "Roles of the clan.",
      ),
      members: field(
        playersWith({
          name: field(gameName(), "Name of the player."),
          roleId: field(count(), "Id of the member's role."),
          joinedAt: field(maybe(instantMs()), "When the player joined, in epoch milliseconds."),
          lastSeenAt: field(
            maybe(instantMs()),
            "When the player was last on the server, in epoch milliseconds.",
          ),
          online: field(maybe(flag()), "Whether the player is on the server."),
        }),
        "All members of the clan.",
      ),
    }),
    {
      family: "clans",
      about: "Who is in a clan now. Send it when a clan changes.",
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
  "clan.created": happening("staff", change, {
    about: "A clan was founded.",
    example: { ...wolves, actor: anna },
  }),
  "clan.disbanded": happening("staff", change, {
    about: "A clan no longer exists.",
    example: { ...wolves, actor: anna },
  }),
  "clan.member.added": happening("staff", change, {
    about: "A player joined a clan.",
    example: { ...wolves, actor: anna, member: bert },
  }),
  "clan.member.left": happening("staff", change, {
    about: "A player left a clan.",
    example: { ...wolves, member: bert },
  }),
  "clan.member.kicked": happening("staff", change, {
    about: "A player was thrown out of a clan.",
    example: { ...wolves, actor: anna, member: bert },
  }),
  "clan.changed": happening("staff", change, {
    about: "A clan's name, color or message of the day changed.",
    example: { ...wolves, actor: anna, field: "motd" },
  }),
};
