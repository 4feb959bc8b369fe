/** The numbers of rows in the large database. */
export interface LargeSize {
  readonly players: number;
  readonly listings: number;
  /** The number of events of the shard and of the survival servers together. */
  readonly events: number;
}

export const largeSize: LargeSize = { players: 100_000, listings: 1_000_000, events: 10_000_000 };
