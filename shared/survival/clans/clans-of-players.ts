import type { Context } from "../../platform/context.ts";
import { externalIdOf } from "./clan-identity.ts";
import { clanName } from "./clan-name.ts";

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
