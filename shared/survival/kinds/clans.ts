import {
  count,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
  words,
} from "../../bridge/payload-fields.ts";
import { bigId, gameName, instantMs, player, playersWith } from "./fields.ts";
import { happening, standing } from "./kind.ts";

/** A clan's id is given out again in a new database of the game; with its time it is one clan. */
const clan = { clanId: bigId(), created: bigId(), name: gameName() };

const change = () =>
  happening(
    "staff",
    shape({
      ...clan,
      actor: maybe(player()),
      member: maybe(player()),
      field: maybe(text(64)),
    }),
  );

/** Clans as the game itself keeps them. */
export const clanKinds = {
  "clan.board": standing(
    shape({
      at: instantMs(),
      clans: listOf(shape({ ...clan, score: bigId(), color: maybe(integer()), members: count() })),
      limit: count(),
    }),
  ),
  "clan.roster": standing(
    shape({
      clanId: bigId(),
      created: bigId(),
      motd: maybe(words(2_000)),
      roles: listOf(shape({ roleId: count(), rank: integer(), name: text(128) }).unknown()),
      members: playersWith({
        name: gameName(),
        roleId: count(),
        joinedAt: maybe(instantMs()),
        lastSeenAt: maybe(instantMs()),
        online: maybe(flag()),
      }),
    }),
  ),
  "clan.created": change(),
  "clan.disbanded": change(),
  "clan.member.added": change(),
  "clan.member.left": change(),
  "clan.member.kicked": change(),
  "clan.changed": change(),
};
