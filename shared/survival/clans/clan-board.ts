/** How many clans the game's board names at the most. */
export const boardCeiling = 100;

/** Whether a board names every clan: one at its ceiling says nothing of those that it leaves out. */
export const isComplete = (named: number, ceiling: number = boardCeiling): boolean =>
  named < Math.min(ceiling, boardCeiling);

/**
 * The clans that are disbanded, by what a board does not name any more. None where the board is at
 * its ceiling.
 * @param ceiling how many the server was asked for
 */
export function disbandedBy<Clan>(
  known: readonly Clan[],
  board: readonly Clan[],
  keyOf: (clan: Clan) => string,
  ceiling: number = boardCeiling,
): Clan[] {
  if (!isComplete(board.length, ceiling)) return [];
  const named = new Set(board.map(keyOf));
  return known.filter((clan) => !named.has(keyOf(clan)));
}

/** A clan's color of the game, a signed number of 32 bits, as `#rrggbb`; null where it is none. */
export function clanColor(color: number | null | undefined): string | null {
  // Bit operators make 32 bits of any number, so that what they change was none.
  if (typeof color !== "number" || color !== (color | 0)) return null;
  return `#${(color & 0xff_ffff).toString(16).padStart(6, "0")}`;
}

interface RankedMember {
  readonly steamId: string;
  /** The lower, the higher the member stands. */
  readonly roleRank: number;
  readonly joinedAt?: number | null | undefined;
}

/** Who leads a clan: the member of the lowest role rank, of several the one who joined first. */
export function leaderOf<Member extends RankedMember>(
  members: readonly Member[],
): Member | undefined {
  return members.toSorted(
    (one, other) =>
      one.roleRank - other.roleRank ||
      joined(one) - joined(other) ||
      (one.steamId < other.steamId ? -1 : 1),
  )[0];
}

/** A date of which nothing is known counts as the latest there is. */
const joined = ({ joinedAt }: RankedMember): number => joinedAt ?? Number.MAX_SAFE_INTEGER;
