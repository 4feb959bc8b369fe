/** A live state with one row per object. The row holds the last payload of the object. */
export interface KeyedRowTable {
  readonly table: "houses" | "points_boards" | "guilds" | "governors";
  readonly column: string;
  readonly keyType: "text" | "integer";
  /** The field of the payload that identifies the object. */
  readonly key: string;
}

/** A live state whose tables are written by its own module. */
export interface CustomTables {
  readonly tables: readonly string[];
}

/** How a live state is stored, and how it changes when the game process ends or events are lost. */
export interface LiveState {
  /** The storage: one row per object, one row of `shard_facts`, or tables of the state's own module. */
  readonly kept: KeyedRowTable | "fact" | CustomTables;
  /** True if the state is emptied when the game process ends or is replaced. */
  readonly diesWithBoot: boolean;
  /** True if the sidecar sends a whole snapshot on request. Objects missing from it are deleted. */
  readonly replacedBySnapshot: boolean;
  /**
   * True if a gap, a new buffer or a new game process may make the state wrong. A state with snapshots is
   * then marked stale and requested until a whole snapshot arrives.
   */
  readonly doubtfulAfterGap: boolean;
  /**
   * The source that removes an object whose end event was lost: the next snapshot, the next full list that the
   * shard sends by itself, the list that the site requests at every hello, or the next staff command for the
   * object. `none`: the state is a single value, which never ends.
   */
  readonly lostEnd: "snapshot" | "full list" | "list at hello" | "command" | "none";
}

/** A state with one row per object, which a snapshot repairs after events were lost. */
const rowsWithSnapshot = (storage: KeyedRowTable) =>
  ({
    kept: storage,
    diesWithBoot: false,
    replacedBySnapshot: true,
    doubtfulAfterGap: true,
    lostEnd: "snapshot",
  }) as const;

/** A single value. The shard resends it by itself, so no snapshot repairs it. */
const fact = {
  kept: "fact",
  diesWithBoot: false,
  replacedBySnapshot: false,
  doubtfulAfterGap: false,
  lostEnd: "none",
} as const;

/** CATALOGUE of the live states that events change. All handling of a state follows from its entry. */
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

/** A state that the sidecar sends as snapshots. */
export type SnapshotFamily = {
  [Name in StateName]: States[Name]["replacedBySnapshot"] extends true ? Name : never;
}[StateName];

export type CustomStateName = {
  [Name in StateName]: States[Name]["kept"] extends CustomTables ? Name : never;
}[StateName];

export const tablesOf = ({ kept }: LiveState): readonly string[] => {
  if (kept === "fact") return ["shard_facts"];
  return "tables" in kept ? kept.tables : [kept.table];
};

export const findLiveStates = (holds: (state: LiveState) => boolean): StateName[] =>
  Object.entries(liveStates).flatMap(([name, state]) => (holds(state) ? [name as StateName] : []));

export const snapshotFamilies = findLiveStates((state) => state.replacedBySnapshot);

export const isSnapshotFamily = (name: StateName): name is SnapshotFamily =>
  liveStates[name].replacedBySnapshot;
