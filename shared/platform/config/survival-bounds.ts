/** A limit on the data that the site stores of one game server. */
export interface StorageBound {
  /** The default of the bound. `SURVIVAL_BOUNDS` overrides it. */
  readonly most: number;
  readonly unit: "rows" | "bytes" | "messages";
  /** `day`: data that arrives within one UTC day. `server`: all data that is stored for a server. */
  readonly per: "day" | "server";
  readonly tables: readonly string[];
}

const mebibyte = 1024 * 1024;

/**
 * CATALOGUE of bounds, so that a hostile or broken server cannot fill the disk. Data beyond a bound is
 * dropped and counted. Each bound is several times the need of a busy server with 300 players.
 */
export const storageBounds = {
  /** A busy server sends 50,000 events a day, mostly deaths and chat. */
  events: {
    most: 200_000,
    unit: "rows",
    per: "day",
    tables: ["survival_events", "event_news", "event_news_sources"],
  },
  /** An event takes about 300 bytes, but one frame may have 256 KiB. */
  eventBytes: { most: 100 * mebibyte, unit: "bytes", per: "day", tables: ["survival_events"] },
  /** Stored events of all days; the oldest are deleted first. A busy server sends 5 GiB in a year. */
  storedEventBytes: {
    most: 8_192 * mebibyte,
    unit: "bytes",
    per: "server",
    tables: ["survival_events"],
  },
  /** A server that wipes daily has 365 worlds a year. */
  worlds: { most: 5_000, unit: "rows", per: "server", tables: ["survival_wipes"] },
  /** Every player ever seen on the server has a row. */
  sightings: { most: 500_000, unit: "rows", per: "server", tables: ["survival_sightings"] },
  /** No game server has more player slots. */
  presence: { most: 2_000, unit: "rows", per: "server", tables: ["survival_presence"] },
  /** One row per player and world, with at most 24 scores and their sums. */
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
  /** One row per player, NPC profile and world. */
  npcKills: {
    most: 1_000_000,
    unit: "rows",
    per: "server",
    tables: ["survival_npc_kills", "survival_standings", "survival_standing_counts"],
  },
  /** Includes disbanded clans. */
  clans: { most: 100_000, unit: "rows", per: "server", tables: ["survival_clans"] },
  clanMembers: { most: 200_000, unit: "rows", per: "server", tables: ["survival_clan_members"] },
  /**
   * Codes of the last ten minutes; expired ones are deleted first. The limit is low, because an entered code is
   * compared with all codes.
   */
  linkCodes: { most: 1_000, unit: "rows", per: "server", tables: ["survival_link_codes"] },
  /**
   * Ledger entries that a game causes: one for each ended object that the ledger does not contain, and one for
   * each kit that is delivered again after a wipe.
   */
  ledger: { most: 500_000, unit: "rows", per: "server", tables: ["survival_ledger"] },
  /** Replaced versions of NPC documents that the game had changed. Each has at most 64 KiB. */
  npcRevisions: { most: 5_000, unit: "rows", per: "server", tables: ["survival_npc_revisions"] },
  /** An image takes 2 to 8 MiB. The site stores at most thirty and deletes the oldest first. */
  mapImages: {
    most: 256 * mebibyte,
    unit: "bytes",
    per: "server",
    tables: ["survival_map_images"],
  },
  /** Reports of players. A busy server with 300 players has about a hundred a day. */
  reports: { most: 1_000, unit: "rows", per: "day", tables: ["survival_reports"] },
  /** Reports of one player of the server, so that one player cannot use up `reports`. */
  reportsOfPlayer: { most: 20, unit: "rows", per: "day", tables: ["survival_reports"] },
  /** Notices about the server. Each is stored under a key, so that it is sent only once. */
  notices: { most: 2_000, unit: "rows", per: "day", tables: ["survival_notices"] },
  /** Messages to subscribers. Each is sent to every subscribed device. */
  pushes: {
    most: 300,
    unit: "messages",
    per: "day",
    tables: ["pushes", "push_deliveries"],
  },
  /** Messages to staff, mostly about unloaded plugins: a restart unloads 60. */
  staffPushes: {
    most: 1_000,
    unit: "messages",
    per: "day",
    tables: ["pushes", "push_deliveries"],
  },
  /** Messages to staff about reports of players, so that many reports leave room for other messages. */
  reportPushes: {
    most: 300,
    unit: "messages",
    per: "day",
    tables: ["pushes", "push_deliveries"],
  },
} as const satisfies Readonly<Record<string, StorageBound>>;

export type StorageBoundName = keyof typeof storageBounds;

export type StorageBounds = Readonly<Record<StorageBoundName, number>>;

export const storageBoundNames = Object.keys(storageBounds) as readonly StorageBoundName[];

export const defaultStorageBounds = Object.fromEntries(
  storageBoundNames.map((name) => [name, storageBounds[name].most]),
) as StorageBounds;
