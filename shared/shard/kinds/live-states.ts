/** A state that is rows by key, each the last payload of a thing as it is. */
export interface KeyedRows {
  readonly table: "houses" | "points_boards" | "guilds" | "governors";
  readonly column: string;
  readonly keyType: "text" | "integer";
  /** The payload field that is the key. */
  readonly key: string;
}

/** A state that a module of its own writes. */
export interface OwnTables {
  readonly tables: readonly string[];
}

/** What becomes of a live state when the game process ends, and when events of it are lost. */
export interface LiveState {
  /** Rows by key, one row of `shard_facts`, or tables that its own module writes. */
  readonly kept: KeyedRows | "fact" | OwnTables;
  /** Whether it ends with the game process: it is emptied when that is gone or another. */
  readonly diesWithBoot: boolean;
  /** Whether the sidecar sends it whole when it is asked; what the snapshot lacks is gone then. */
  readonly replacedBySnapshot: boolean;
  /**
   * Whether it may be wrong after a gap, a new buffer or a new game process. With a snapshot it is
   * marked stale then, and asked for until a whole snapshot came.
   */
  readonly doubtfulAfterGap: boolean;
  /**
   * What removes a thing whose end was lost: the next snapshot, the next full list that the shard
   * sends by itself, the list that we ask for at every hello, the next command of staff about it.
   * `none`: there is one, without an end.
   */
  readonly lostEnd: "snapshot" | "full list" | "list at hello" | "command" | "none";
}

/** Rows by key whose loss a snapshot mends. */
const rowsWithSnapshot = (kept: KeyedRows) =>
  ({
    kept,
    diesWithBoot: false,
    replacedBySnapshot: true,
    doubtfulAfterGap: true,
    lostEnd: "snapshot",
  }) as const;

/** One fact that the shard tells anew by itself. */
const fact = {
  kept: "fact",
  diesWithBoot: false,
  replacedBySnapshot: false,
  doubtfulAfterGap: false,
  lostEnd: "none",
} as const;

/** CATALOGUE of the live states that events move; all that is done with a state follows from it. */
export const liveStates = {
  presence: {
    kept: { tables: ["online_characters"] },
    diesWithBoot: true,
    replacedBySnapshot: false,
    doubtfulAfterGap: false,
    lostEnd: "full list",
  },
  links: {
    kept: { tables: ["shard_links"] },
    diesWithBoot: false,
    replacedBySnapshot: false,
    doubtfulAfterGap: true,
    lostEnd: "list at hello",
  },
  market: {
    kept: {
      tables: ["vendors", "listings", "listing_labels", "listing_names", "places", "market_meta"],
    },
    diesWithBoot: false,
    replacedBySnapshot: true,
    doubtfulAfterGap: true,
    lostEnd: "snapshot",
  },
  punishments: {
    kept: { tables: ["punishments"] },
    diesWithBoot: false,
    replacedBySnapshot: false,
    doubtfulAfterGap: true,
    lostEnd: "command",
  },
  house: rowsWithSnapshot({ table: "houses", column: "serial", keyType: "text", key: "serial" }),
  points: rowsWithSnapshot({
    table: "points_boards",
    column: "system",
    keyType: "text",
    key: "system",
  }),
  guild: rowsWithSnapshot({
    table: "guilds",
    column: "guild_id",
    keyType: "integer",
    key: "guildId",
  }),
  governor: rowsWithSnapshot({ table: "governors", column: "city", keyType: "text", key: "city" }),
  economy: fact,
  ruleset: fact,
} as const satisfies Readonly<Record<string, LiveState>>;

type States = typeof liveStates;

export type StateName = keyof States;

/** The states that the sidecar sends whole; each is a family of its snapshots. */
export type SnapshotFamily = {
  [Name in StateName]: States[Name]["replacedBySnapshot"] extends true ? Name : never;
}[StateName];

/** The states that a module of their own writes. */
export type OwnState = {
  [Name in StateName]: States[Name]["kept"] extends OwnTables ? Name : never;
}[StateName];

/** The tables that hold a state. */
export const tablesOf = ({ kept }: LiveState): readonly string[] => {
  if (kept === "fact") return ["shard_facts"];
  return "tables" in kept ? kept.tables : [kept.table];
};

/** The names of the states of which this holds. */
export const statesWhere = (holds: (state: LiveState) => boolean): StateName[] =>
  Object.entries(liveStates).flatMap(([name, state]) => (holds(state) ? [name as StateName] : []));

/** The families of snapshots. */
export const snapshotFamilies = statesWhere((state) => state.replacedBySnapshot);

export const isSnapshotFamily = (name: StateName): name is SnapshotFamily =>
  liveStates[name].replacedBySnapshot;
