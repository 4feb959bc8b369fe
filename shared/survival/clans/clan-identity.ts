import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import type { Context } from "../../platform/context.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";

/** The identity of a clan, with its creation time, because a new game database reuses the ids. */
export interface ClanIdentity {
  readonly serverId: number;
  readonly clanId: string;
  /** A 64-bit number of the game, whose unit is unknown. */
  readonly created: string;
}

/** Returns the id by which URLs name a clan. */
export const externalIdOf = ({ serverId, clanId, created }: ClanIdentity): string =>
  `${serverId}-${clanId}-${created}`;

/** Maximum id in the clan tables. */
const maxId = 2 ** 31 - 1;

/** Parses a clan's id in a URL; undefined if it is invalid. */
export function parseClanId(externalId: string): ClanIdentity | undefined {
  const [, server, clanId, created] =
    /^([1-9]\d{0,9})-(-?\d{1,20})-(-?\d{1,20})$/.exec(externalId) ?? [];
  if (clanId === undefined || created === undefined || Number(server) > maxId) return undefined;
  return { serverId: Number(server), clanId, created };
}

/** Returns a clan's plain name, or its id if the name has no allowed character. */
export const clanName = ({ name, clanId }: Pick<SurvivalClan, "name" | "clanId">): string =>
  toPlainText(name, 64) || clanId;

/** A clan's id and name, shown with a player. */
export interface ClanRef {
  readonly externalId: string;
  readonly name: string;
}

/** Reads each player's most recent clan, on one server or on all listed servers that accept account links. */
export async function readClansOfPlayers(
  steamIds: readonly string[],
  serverId: number | null,
  { models }: Pick<Context, "models">,
): Promise<ReadonlyMap<string, ClanRef>> {
  const believed = serverId === null ? { listed: true, acceptsLinks: true } : { listed: true };
  const found = await models.SurvivalClanMember.findAll({
    where: { steamId: steamIds },
    include: [
      {
        association: "clan",
        where: { disbandedAt: null, ...(serverId !== null && { serverId }) },
        include: [{ association: "server", where: believed, attributes: [] }],
      },
    ],
  });
  const byAge = found.toSorted(
    (one, other) => (one.joinedAt?.valueOf() ?? 0) - (other.joinedAt?.valueOf() ?? 0),
  );
  return new Map(
    byAge.flatMap(({ steamId, clan }) =>
      clan ? [[steamId, { externalId: externalIdOf(clan), name: clanName(clan) }] as const] : [],
    ),
  );
}
