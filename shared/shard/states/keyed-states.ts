import type { Fields } from "../view.ts";

/** The families of states that are rows by key, each the last payload of a thing as it is. */
export interface KeyedState {
  readonly table: "houses" | "points_boards" | "guilds" | "governors";
  readonly column: string;
  readonly keyType: "text" | "integer";
  /** The payload field that is the key. */
  readonly key: string;
  /** A kind whose payload adds to what is known instead of replacing it. */
  readonly mergedBy?: string;
  readonly removedBy?: string;
}

/** CATALOGUE of keyed states, by family. */
export const keyedStates = {
  house: {
    table: "houses",
    column: "serial",
    keyType: "text",
    key: "serial",
    mergedBy: "house.decay",
    removedBy: "house.removed",
  },
  points: { table: "points_boards", column: "system", keyType: "text", key: "system" },
  guild: {
    table: "guilds",
    column: "guild_id",
    keyType: "integer",
    key: "guildId",
    removedBy: "guild.removed",
  },
  governor: { table: "governors", column: "city", keyType: "text", key: "city" },
} as const satisfies Readonly<Record<string, KeyedState>>;

/** What happened to a thing rather than what it is; left out of its state. */
export const happenings: readonly string[] = ["t", "from", "to", "reason"];

/** What is stored and compared: the payload without its time and without what merely happened. */
export const stateOf = (payload: Fields): Fields =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => !happenings.includes(field)));
