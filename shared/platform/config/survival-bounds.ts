/** How much of one game server the site keeps in a part of its tables. */
export interface Bound {
  /** The default; `SURVIVAL_BOUNDS` sets another. */
  readonly most: number;
  readonly unit: "rows" | "bytes" | "messages";
  /** `day`: what comes within a day of UTC. `server`: what is there at any time. */
  readonly per: "day" | "server";
  /** Tables that do not grow beyond it. */
  readonly tables: readonly string[];
}

const mebibyte = 1024 * 1024;

/**
 * CATALOGUE of what one game server makes the site keep, each with its bound: no server that is hostile or
 * broken fills the disk. What goes beyond is left out and counted. Each bound is several times what a busy
 * server of 300 players needs.
 */
export const bounds = {
  /** A busy server tells 50,000 a day, mostly deaths and chat. */
  events: {
    most: 200_000,
    unit: "rows",
    per: "day",
    tables: ["survival_events", "event_news", "event_news_sources"],
  },
  /** An event has 300 bytes. One frame may have 256 KiB. */
  eventBytes: { most: 100 * mebibyte, unit: "bytes", per: "day", tables: ["survival_events"] },
  /** Stored events of all days together; the oldest go first. A busy server tells 5 GiB in a year. */
  storedEventBytes: {
    most: 8_192 * mebibyte,
    unit: "bytes",
    per: "server",
    tables: ["survival_events"],
  },
  /** A server that wipes each day has 365 a year. */
  worlds: { most: 5_000, unit: "rows", per: "server", tables: ["survival_wipes"] },
  /** Everybody who was ever seen there. */
  sightings: { most: 500_000, unit: "rows", per: "server", tables: ["survival_sightings"] },
  /** No game server has more slots. */
  presence: { most: 2_000, unit: "rows", per: "server", tables: ["survival_presence"] },
  /** A player within a world. Each has 24 scores at the most, and their sums. */
  tallies: {
    most: 1_000_000,
    unit: "rows",
    per: "server",
    tables: [
      "survival_tallies",
      "survival_scores",
      "survival_standings",
      "survival_standing_counts",
      "survival_kill_leaders",
    ],
  },
  /** A player, a profile and a world. */
  npcKills: {
    most: 1_000_000,
    unit: "rows",
    per: "server",
    tables: ["survival_npc_kills", "survival_standings", "survival_standing_counts"],
  },
  /** Clans that are gone stay. */
  clans: { most: 100_000, unit: "rows", per: "server", tables: ["survival_clans"] },
  clanMembers: { most: 200_000, unit: "rows", per: "server", tables: ["survival_clan_members"] },
  /** Ten minutes of codes; expired ones go first. Each is compared with every code that is entered. */
  linkCodes: { most: 1_000, unit: "rows", per: "server", tables: ["survival_link_codes"] },
  /** What ended in a world, and kits that are given again in another: entries of the game's doing. */
  ledger: { most: 500_000, unit: "rows", per: "server", tables: ["survival_ledger"] },
  /** Documents that a push to the game replaced, of 64 KiB at the most. */
  npcRevisions: { most: 5_000, unit: "rows", per: "server", tables: ["survival_npc_revisions"] },
  /** A picture has 2 to 8 MiB, and the site keeps thirty at the most; the oldest go first. */
  mapImages: {
    most: 256 * mebibyte,
    unit: "bytes",
    per: "server",
    tables: ["survival_map_images"],
  },
  /** What is told of the server under a key, and not told twice. */
  notices: { most: 2_000, unit: "rows", per: "day", tables: ["survival_notices"] },
  /** Each reaches every device that has subscribed. */
  pushes: {
    most: 300,
    unit: "messages",
    per: "day",
    tables: ["pushes", "push_deliveries"],
  },
  /** Plugins that are unloaded, mostly: a restart unloads 60. */
  staffPushes: {
    most: 1_000,
    unit: "messages",
    per: "day",
    tables: ["pushes", "push_deliveries"],
  },
} as const satisfies Readonly<Record<string, Bound>>;

export type BoundName = keyof typeof bounds;

/** The bounds that hold here. */
export type Bounds = Readonly<Record<BoundName, number>>;

export const boundNames = Object.keys(bounds) as readonly BoundName[];

export const standardBounds = Object.fromEntries(
  boundNames.map((name) => [name, bounds[name].most]),
) as Bounds;
