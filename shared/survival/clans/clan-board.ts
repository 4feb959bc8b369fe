/** Maximum number of clans on the game's leaderboard. */
export const maxBoardClans = 100;

/** True if a board lists every clan of the server. A full board may omit clans. */
export const isBoardComplete = (named: number, ceiling: number = maxBoardClans): boolean =>
  named < Math.min(ceiling, maxBoardClans);

/** Returns the clans that a complete board no longer lists. @param ceiling the board's maximum */
export function findDisbandedClans<Clan>(
  known: readonly Clan[],
  board: readonly Clan[],
  keyOf: (clan: Clan) => string,
  ceiling: number = maxBoardClans,
): Clan[] {
  if (!isBoardComplete(board.length, ceiling)) return [];
  const named = new Set(board.map(keyOf));
  return known.filter((clan) => !named.has(keyOf(clan)));
}

/** Converts the game's color, a signed 32-bit integer, to `#rrggbb`; null if it is invalid. */
export function formatClanColor(color: number | null | undefined): string | null {
  // `| 0` converts to 32 bits. A value that the conversion changes is invalid.
  if (typeof color !== "number" || color !== (color | 0)) return null;
  return `#${(color & 0xff_ffff).toString(16).padStart(6, "0")}`;
}

interface RankedMember {
  readonly steamId: string;
  /** A lower number means a higher rank. */
  readonly roleRank: number;
  readonly joinedAt?: number | null | undefined;
}

/** Returns the leader of a clan: of the members with the lowest role rank, the earliest to join. */
export function findLeader<Member extends RankedMember>(
  members: readonly Member[],
): Member | undefined {
  return members.toSorted(
    (one, other) =>
      one.roleRank - other.roleRank ||
      joinedOrLatest(one) - joinedOrLatest(other) ||
      (one.steamId < other.steamId ? -1 : 1),
  )[0];
}

/** Returns when a member joined; a member without a date comes last. */
const joinedOrLatest = ({ joinedAt }: RankedMember): number => joinedAt ?? Number.MAX_SAFE_INTEGER;
