/** The numbers of objects at the start. There are always 28 boards and nine cities. */
export interface WorldSizes {
  readonly accounts: number;
  readonly online: number;
  readonly vendors: number;
  /** The number of listings of all vendors together. */
  readonly listings: number;
  readonly houses: number;
  readonly guilds: number;
  /** The number of champion spawns, at most 12. */
  readonly champions: number;
  readonly pages: number;
  readonly clilocs: number;
  readonly regions: number;
  readonly spawners: number;
  /** The numbers of pictures, by family. */
  readonly items: number;
  readonly land: number;
  readonly bodies: number;
}

/** The size of a typical shard. */
export const fullWorld: WorldSizes = {
  accounts: 600,
  online: 120,
  vendors: 400,
  listings: 20_000,
  houses: 800,
  guilds: 40,
  champions: 12,
  pages: 6,
  clilocs: 60_000,
  regions: 440,
  spawners: 6_700,
  items: 4_000,
  land: 400,
  bodies: 260,
};

/** A small world with every awkward value. It is created in a few milliseconds. */
export const smallWorld: WorldSizes = {
  accounts: 40,
  online: 8,
  vendors: 8,
  listings: 60,
  houses: 20,
  guilds: 4,
  champions: 3,
  pages: 2,
  clilocs: 160,
  regions: 24,
  spawners: 60,
  items: 60,
  land: 8,
  bodies: 12,
};
