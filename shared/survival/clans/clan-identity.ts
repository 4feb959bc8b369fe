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
