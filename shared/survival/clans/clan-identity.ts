import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import type { Context } from "../../platform/context.ts";
import { plainText } from "../../platform/texts/plain-text.ts";

/**
 * What tells one clan from all others. The game gives ids out again in a new database, so that a
 * clan is its server, its id and the time when it was made.
 */
export interface ClanIdentity {
  readonly serverId: number;
  readonly clanId: string;
  /** The game's own 64-bit number, in whatever unit. */
  readonly created: string;
}

/** A clan's name in addresses. */
export const externalIdOf = ({ serverId, clanId, created }: ClanIdentity): string =>
  `${serverId}-${clanId}-${created}`;

/** The largest id that the tables hold. */
const largestId = 2 ** 31 - 1;

/** The clan that an address names; undefined for a text that no clan is named by. */
export function clanNamed(externalId: string): ClanIdentity | undefined {
  const [, server, clanId, created] =
    /^([1-9]\d{0,9})-(-?\d{1,20})-(-?\d{1,20})$/.exec(externalId) ?? [];
  if (clanId === undefined || created === undefined || Number(server) > largestId) return undefined;
  return { serverId: Number(server), clanId, created };
}

/** A clan's name as it is shown: by its id where nothing of the name can be. */
export const clanName = ({ name, clanId }: Pick<SurvivalClan, "name" | "clanId">): string =>
  plainText(name, 64) || clanId;

/** A clan as it stands beside a player. */
export interface ClanName {
  readonly externalId: string;
  readonly name: string;
}

/**
 * The clans of players by their Steam ids, of one server or of all that are listed and whose links count, as
 * for names: of several that a player is in, the one joined last.
 */
export async function clansOfPlayers(
  steamIds: readonly string[],
  serverId: number | null,
  { models }: Pick<Context, "models">,
): Promise<ReadonlyMap<string, ClanName>> {
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
